"""HTML and SVG: elements, shapes, charts."""
