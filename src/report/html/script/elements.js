// Elements, with text only ever set as text.

const SVG = "http://www.w3.org/2000/svg";

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const element = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);
const shape = (tag, attributes = {}, ...children) =>
  filled(document.createElementNS(SVG, tag), attributes, children);

/** Tells people who do not see the page what happened. */
function say(text) {
  document.getElementById("said").textContent = text;
}

/** Copies text, also where the page is a file and the browser gives it no clipboard. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = element("textarea", { class: "for-screen-readers", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

/** A button that copies, and says that it did. */
function copying(button, text) {
  const label = button.textContent;
  let timer = 0;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await copy(typeof text === "function" ? text() : text);
    say("Copied");
    button.textContent = "Copied";
    clearTimeout(timer);
    timer = setTimeout(() => (button.textContent = label), 1600);
  });
  return button;
}

/** A command with a button beside it. */
const commandLine = (command, label = "Copy") =>
  element(
    "span",
    { class: "command" },
    element("code", {}, ...command.split(" ").flatMap((word) => [element("span", {}, word), " "])),
    copying(element("button", { type: "button", class: "copy not-in-print" }, label), command),
  );

function download(name, text, type) {
  const link = element("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// What is told of a mark that is pointed at.

const tip = document.getElementById("tip");

/** Terms and what they are, as a list. */
function facts(of) {
  const list = element("dl", { class: "facts" });
  for (const [term, value] of of) list.append(element("dt", {}, term), element("dd", {}, value));
  return list;
}

function showTip(target, heading, of) {
  tip.replaceChildren(element("b", {}, heading), facts(of));
  tip.hidden = false;
  const box = target.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  const left = Math.max(8, Math.min(box.left + box.width / 2 - width / 2, document.documentElement.clientWidth - width - 8));
  const above = box.top - height - 8;
  tip.style.left = `${left + scrollX}px`;
  tip.style.top = `${(above > 4 ? above : box.bottom + 8) + scrollY}px`;
}

function hideTip() {
  tip.hidden = true;
}

addEventListener("keydown", (event) => {
  if (event.key === "Escape") hideTip();
});
