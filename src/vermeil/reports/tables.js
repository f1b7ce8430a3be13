
// Long tables: a click on a heading sorts by it, words narrow the rows, and only so many are shown at once.
(() => {
  const MANY = 20, PAGE = 50;

  const valueOf = (row, column) => {
    const said = row.cells[column].textContent.trim();
    const number = parseFloat(said.replace(/,/g, ""));
    return Number.isNaN(number) ? said : number;
  };

  // Numbers before words; what is not defined comes last, whichever way it is sorted.
  function compare(a, b, sign) {
    const isLast = (each) => each === "–" || each === "";
    if (isLast(a) || isLast(b)) return isLast(a) - isLast(b);
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
    return sign * (typeof a === "number" ? a - b : a.localeCompare(b));
  }

  function lengthen(table) {
    const body = table.tBodies[0], rows = [...body.rows];
    let words = "", nShown = PAGE;
    const more = element("button", { type: "button" }, "Show more rows");
    const found = element("span", { role: "status" });
    const show = () => {
      const wanted = rows.filter((row) => row.textContent.toLocaleLowerCase().includes(words));
      body.replaceChildren(...wanted.slice(0, nShown));
      more.hidden = wanted.length <= nShown;
      found.textContent = ` ${wanted.length.toLocaleString("en")} rows`;
    };
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      if (!head.textContent.trim()) return;
      const button = element("button", { type: "button", class: "sort" }, ...head.childNodes);
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const isRising = head.getAttribute("aria-sort") === "descending";
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", isRising ? "ascending" : "descending");
        rows.sort((a, b) => compare(valueOf(a, column), valueOf(b, column), isRising ? 1 : -1));
        show();
      });
    });
    if (rows.length <= MANY) return;
    const input = element("input", { type: "search", autocomplete: "off" });
    const form = element("form", { class: "narrow" }, element("label", {}, "Rows with ", input), found);
    input.addEventListener("input", () => {
      words = input.value.trim().toLocaleLowerCase();
      nShown = PAGE;
      show();
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    more.addEventListener("click", () => {
      nShown += PAGE;
      show();
    });
    const place = table.closest(".wide") || table;
    place.before(form);
    place.after(more);
    addEventListener("beforeprint", () => body.replaceChildren(...rows));
    addEventListener("afterprint", show);
    show();
  }

  for (const table of document.querySelectorAll(".wide > table:not(.trees)")) {
    if (table.tHead && table.tBodies[0].rows.length > 1) lengthen(table);
  }
})();
