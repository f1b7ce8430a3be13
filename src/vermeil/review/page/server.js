// Talking to the server. A change carries the token of the session; an answer is {status, data}.

let token = "";

export function keepToken(value) {
  token = value;
}

export async function get(path) {
  return reply(await fetch(path, { headers: { Accept: "application/json" } }));
}

export async function post(path, body) {
  return reply(
    await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Token": token },
      body: JSON.stringify(body),
    }),
  );
}

export async function upload(path, file) {
  return reply(await fetch(path, { method: "POST", headers: { "X-Token": token }, body: file }));
}

async function reply(response) {
  const data = await response.json().catch(() => ({}));
  return { status: response.status, data };
}
