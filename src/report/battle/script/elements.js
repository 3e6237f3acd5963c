// Elements of the page. Text is always set as text: names come from scenarios and cards.

const byId = (id) => document.getElementById(id);

// An element with attributes and children; `null` and `false` are left out.
function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

function draw(tag, attributes = {}, ...children) {
  const drawn = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) drawn.setAttribute(name, value);
  drawn.append(...children);
  return drawn;
}

const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
const minus = (number) => String(number).replace("-", "−");
const signed = (number) => (number > 0 ? "+" : "") + minus(number);
