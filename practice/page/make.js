// Small helpers that make elements; nothing here knows the table.
const SVG = "http://www.w3.org/2000/svg";

export function html(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((each) => each !== null));
  return element;
}

// Write an attribute only where it changes: a page at rest does nothing.
export function set(element, name, value) {
  const words = String(value);
  if (element.getAttribute(name) !== words) element.setAttribute(name, words);
}

export function write(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

export function button(words, act, more = {}) {
  return html("button", { type: "button", onclick: act, ...more }, words);
}

// Something drawn that can be pressed: by pointer, by touch, by Enter and Space.
export function pressable(element, label, act) {
  set(element, "role", "button");
  set(element, "tabindex", "0");
  set(element, "aria-label", label);
  element.addEventListener("click", (event) => act(event));
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    act(event);
  });
  return element;
}

export function dollars(cents) {
  const whole = Math.floor(cents / 100).toLocaleString("en-US");
  return cents % 100 ? `$${whole}.${String(cents % 100).padStart(2, "0")}` : `$${whole}`;
}

const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const SUIT_WORDS = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
const RANK_WORDS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "10" };

export function cardFace(name) {
  const rank = name[0] === "T" ? "10" : name[0];
  return { rank, suit: SUITS[name[1]], isRed: "dh".includes(name[1]) };
}

export function cardWords(seen) {
  if (seen.length < 2) return `face down, ${seen[0]} back`;
  return `${RANK_WORDS[seen[1][0]] || seen[1][0]} of ${SUIT_WORDS[seen[1][1]]}`;
}
