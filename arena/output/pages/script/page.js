"use strict";

/** Create an element with attributes and children; strings become text nodes, never markup. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Return a number with its sign. */
function signed(number) {
  return number > 0 ? `+${number}` : String(number).replace("-", "\u2212");
}

const THEMES = { "system": "", light: "light", dark: "dark" };
const tools = document.getElementById("tools");

function themeChoice() {
  const options = Object.entries(THEMES).map(([name, value]) => make("option", { value }, name));
  const choose = (event) => {
    document.documentElement.dataset.theme = event.target.value;
  };
  return choice("Colours", make("select", { id: "theme", onchange: choose }, ...options));
}

/** Create a field with its label. */
function choice(name, field) {
  return make("span", { class: "field" }, make("label", { for: field.id }, name), field);
}

/** Create the game selector; without scripts the sections of all games are visible. */
function gameChoice() {
  const parts = [...document.querySelectorAll(".part")];
  if (parts.length < 2) return null;
  const show = (key) => parts.forEach((part) => {
    part.hidden = part.id !== key && key !== "every";
    part.classList.toggle("alone", key !== "every");
  });
  const options = parts.map((part) => make("option", { value: part.id }, part.dataset.part));
  options.push(make("option", { value: "every" }, "All games"));
  show(parts[0].id);
  const choose = (event) => show(event.target.value);
  return choice("Game", make("select", { id: "game", onchange: choose }, ...options));
}

tools.append(...[gameChoice()].filter(Boolean));
(document.querySelector("footer") ?? tools).append(themeChoice());

window.addEventListener("beforeprint", () => {
  document.querySelectorAll("details").forEach((details) => { details.open = true; });
});
