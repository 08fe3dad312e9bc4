const SVG = "http://www.w3.org/2000/svg";

/** Create an SVG element with attributes and children. */
function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const SUITS = {
  S: "M12 1.8C14 6 21.6 9.6 21.6 14.7c0 2.6-2 4.4-4.4 4.4-1.7 0-3.2-.8-4-2.2.2 2.2 1 4 2.6 5.3H8.2c1.6-1.3 2.4-3.1 2.6-5.3-.8 1.4-2.3 2.2-4 2.2-2.4 0-4.4-1.8-4.4-4.4C2.4 9.6 10 6 12 1.8z",
  H: "M12 21.5C5 15.4 2 11.7 2 7.9 2 5 4.2 3 6.8 3 9 3 11 4.3 12 6.5 13 4.3 15 3 17.2 3 19.8 3 22 5 22 7.9c0 3.8-3 7.5-10 13.6z",
  D: "M12 1.3c2 4 5 8 8.6 10.7C17 14.7 14 18.7 12 22.7 10 18.7 7 14.7 3.4 12 7 9.3 10 5.3 12 1.300z",
  C: "M12 1.900a4.6 4.6 0 0 1 3.8 7.3 4.7 4.7 0 1 1-2.7 7.700c.2 2.1 1.1 4 2.7 5.300H8.200c1.6-1.3 2.5-3.2 2.7-5.300A4.7 4.7 0 1 1 8.2 9.2 4.6 4.6 0 0 1 12 1.900z",
};
const SUIT_NAMES = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const SUIT_SIGNS = { S: "\u2660", H: "\u2665", D: "\u2666", C: "\u2663" };
const RANK_NAMES = { A: "ace", K: "king", Q: "queen", J: "knave", T: "ten" };
const STAR = "M12 1.500l3 6.7 7.3.8-5.4 4.9 1.5 7.200L12 17.500l-6.4 3.6 1.5-7.200L1.7 9l7.3-.8z";
const CROWNS = {
  K: "M-10 6l-2-12 6 5L0-9l6 8 6-5-2 12zM-10 9h20",
  Q: "M-9 6c0-5-2-8-3-11l6 5 2-7 4 5 4-5 2 7 6-5c-1 3-3 6-3 11zM-9 9h18",
  J: "M-10 6c0-8 4-12 10-12 5 0 9 3 9 7 4-1 4-5 3-8 4 5 2 11-4 13zM-10 9h18",
};

/** Positions of the pips by rank: the column and the y coordinate. */
const COLUMNS = { l: 22, m: 30.5, r: 39 };
const PIPS = {
  2: "m16 m68", 3: "m16 m42 m68", 4: "l16 r16 l68 r68", 5: "l16 r16 m42 l68 r68",
  6: "l16 r16 l42 r42 l68 r68", 7: "l16 r16 m29 l42 r42 l68 r68", 8: "l16 r16 m29 l42 r42 m55 l68 r68",
  9: "l15 r15 l33 r33 m42 l51 r51 l69 r69", T: "l15 r15 m24 l33 r33 l51 r51 m60 l69 r69",
};

const COX_CARD = /^([asp][1-5C]|[fgi$][1-4]|BK)$/;

function isFrench(text) {
  return /^[AKQJT2-9][SHDC]$/.test(text);
}

/** Return the name of a card for screen readers. */
function cardName(text) {
  if (text === "??") return "a card face down";
  if (isFrench(text)) return `${RANK_NAMES[text[0]] || text[0]} of ${SUIT_NAMES[text[1]]}`;
  if (/^R[12]$/.test(text)) return "joker";
  return COX_CARD.test(text) ? coxName(text) : text;
}

function pip(path, x, y, size, upside) {
  const scale = size / 24;
  const turn = upside ? " rotate(180)" : "";
  return draw("path", { d: path, transform: `translate(${x} ${y})${turn} scale(${scale}) translate(-12 -12)` });
}

/** Draw the index of a corner: the rank above a small suit. */
function corner(rank, path) {
  const word = draw("text", { x: 8.5, y: 16, class: "index" });
  word.textContent = rank;
  if (rank === "10") word.dataset.ten = "";
  return path ? [word, pip(path, 8.5, 24, 9.5)] : [word];
}

function bothCorners(rank, path) {
  const turned = draw("g", { transform: "rotate(180 30 42)" }, ...corner(rank, path));
  return [...corner(rank, path), turned];
}

function frenchFace(rank, suit) {
  const path = SUITS[suit];
  const parts = bothCorners(rank === "T" ? "10" : rank, path);
  if (rank === "A") return [...parts, pip(path, 30, 42, 27)];
  if (CROWNS[rank]) return [...parts, ...court(rank, path)];
  const places = PIPS[rank].split(" ").map((place) => [COLUMNS[place[0]], Number(place.slice(1))]);
  return [...parts, ...places.map(([x, y]) => pip(path, x, y, 10.5, y > 42))];
}

/** Draw a court card: a point-symmetric frame with the crown of its rank. */
function court(rank, path) {
  const half = () => [
    draw("path", { d: CROWNS[rank], class: "crown", transform: "translate(30 23) scale(.8)" }),
    pip(path, 24, 37, 11),
  ];
  return [
    draw("rect", { x: 16, y: 11, width: 28, height: 62, rx: 2, class: "frame" }),
    draw("path", { d: "M16 54L44 30", class: "crown" }),
    ...half(),
    draw("g", { transform: "rotate(180 30 42)" }, ...half()),
  ];
}

function jokerFace() {
  const word = draw("text", { x: 30, y: 66, class: "small" });
  word.textContent = "joker";
  return [pip(STAR, 30, 38, 30), word];
}

function backFace() {
  const lines = [];
  for (let at = -84; at < 60; at += 7) lines.push(`M${at} 0l84 84M${at + 84} 0l-84 84`);
  return [
    draw("rect", { x: 4, y: 4, width: 52, height: 76, rx: 3, class: "back" }),
    draw("svg", { x: 6, y: 6, width: 48, height: 72, viewBox: "6 6 48 72" },
      draw("path", { d: lines.join(""), class: "lattice" })),
    draw("rect", { x: 6, y: 6, width: 48, height: 72, rx: 2, class: "lattice" }),
  ];
}

function face(text) {
  if (text === "??") return ["down", backFace()];
  if (isFrench(text)) return [text[1], frenchFace(text[0], text[1])];
  if (/^R[12]$/.test(text)) return [text === "R1" ? "H" : "S", jokerFace()];
  if (COX_CARD.test(text)) return [`x${text[0] === "$" ? "m" : text[0]}`, coxFace(text)];
  return ["plain", plainFace(text)];
}

/** Draw a card of a pack without pictures: its notation, and large what is the same for all copies of it. */
function plainFace(text) {
  const large = draw("text", { x: 30, y: 52, class: "large" });
  large.textContent = text.replace(/(?<=[0-9A-Z])[a-z]$/, "");
  const small = draw("text", { x: 30, y: 74, class: "small" });
  small.textContent = text;
  return [draw("rect", { x: 8, y: 10, width: 44, height: 52, rx: 4, class: "frame" }), large, small];
}

/** Draw a card given in notation; `??` is one face down. */
function drawCard(text) {
  const [kind, parts] = face(text);
  const paper = draw("rect", { x: .5, y: .5, width: 59, height: 83, rx: 6, class: "paper" });
  const picture = draw("svg", { viewBox: "0 0 60 84", class: `face suit-${kind}`, role: "img" }, paper, ...parts);
  picture.setAttribute("aria-label", cardName(text));
  picture.dataset.card = text;
  return picture;
}
