/** SVG paths of Cox's pack, on a 24 by 24 grid. */
const COX_PICTURES = {
  a: "M2 15.500c0-1.5.8-2.5 2.2-2.800l1.6-.4 2.6-4c.5-.8 1.3-1.2 2.2-1.200h4.200c.8 0 1.5.3 2 .9l3 3.7 1.5.4c1 .3 1.7 1.2 1.7 2.300v2.100h-2a2.8 2.8 0 0 0-5.6 0H8.800a2.8 2.8 0 0 0-5.6 0H2zM6 14.800a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM18.2 14.800a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM9.3 9l-1.8 3h4V9zM13 9v3h4l-2.2-2.700A1 1 0 0 0 14 9z",
  s: "M11 2h2v3h3v4h2.500v3.200L22 13.500l-2.7 6c-1.3 0-1.7-.9-2.9-.9-1.3 0-1.7.9-3 .9h-2.800c-1.3 0-1.7-.9-3-.9-1.2 0-1.6.9-2.9.9L2 13.500l3.5-1.300V9H8V5h3zM8 9.500v2l4-1.3 4 1.300v-2zM3 21c2-1 3.5-1 4.8 0 1.4-1 2.8-1 4.2 0 1.4-1 2.8-1 4.2 0 1.3-1 2.8-1 4.8 0v1.400c-2-1-3.5-1-4.8 0-1.4-1-2.8-1-4.2 0-1.4-1-2.8-1-4.2 0-1.3-1-2.8-1-4.8 0z",
  p: "M12 1.500c1 0 1.6 1.2 1.6 3v4.200l8.4 5v2.200l-8.4-2.500v4.700l2.6 2v1.700L12 20.700l-4.2 1.100v-1.700l2.6-2v-4.700L2 15.900v-2.200l8.4-5V4.500c0-1.8.6-3 1.6-3z",
  f: "M12.6 6.600C13 4 14.6 2.3 17 2c.2 2.5-1.6 4.5-4.4 4.600zM12 8c1.2-.8 2.5-1.2 3.8-1 3 .4 4.9 3 4.9 6.4 0 4.4-3 8.8-5.7 8.8-1.2 0-1.8-.6-3-.6s-1.8.6-3 .6c-2.7 0-5.7-4.4-5.7-8.8 0-3.4 1.9-6 4.9-6.4 1.3-.2 2.6.2 3.8 1z",
  g: "M11.3 22V9.500h1.400V22zM12 2c1.5 1.5 1.9 3.2 0 5.500C10.1 5.2 10.5 3.5 12 2zM11.3 10.500C8.5 10.4 7.2 9 7 6.700c2.5.1 4 1.3 4.3 3.800zM12.7 10.500c2.8-.1 4.1-1.5 4.3-3.8-2.5.1-4 1.3-4.3 3.800zM11.3 15C8.5 14.9 7.2 13.5 7 11.200c2.5.1 4 1.3 4.3 3.800zM12.7 15c2.8-.1 4.1-1.5 4.3-3.8-2.5.1-4 1.3-4.3 3.800zM11.3 19.500c-2.8-.1-4.1-1.5-4.3-3.8 2.5.1 4 1.3 4.3 3.800zM12.7 19.500c2.8-.1 4.1-1.5 4.3-3.8-2.5.1-4 1.3-4.3 3.800z",
  i: "M2 21V12l5-3v3l5-3v3l3-1.800V4h3.500l.5 7H22v10zM5 15v2.500h2.500V15zM10 15v2.500h2.500V15zM15.5 15v2.500H18V15z",
  m: "M1.5 6h21v12h-21zM3 7.500v9h18v-9zM12 8.500a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM5 9l1.5 0v1.500H5zM17.5 13.500H19V15h-1.500z",
  B: "M12 2l10 5v2H2V7zM4 10.500h2.500V18H4zM8.8 10.500h2.500V18H8.800zM12.7 10.500h2.500V18h-2.500zM17.5 10.500H20V18h-2.500zM2 19.500h20V22H2z",
};
const COX_NAMES = {
  a: "automobile", s: "ship", p: "airplane", f: "fruit", g: "grain", i: "industries", $: "greenback", B: "the Bank",
};

function coxName(text) {
  const name = COX_NAMES[text[0]] || text;
  if (text === "BK") return name;
  return text[1] === "C" ? `${name} captain` : `${name} ${text[1]}`;
}

function coxFace(text) {
  const kind = text[0] === "$" ? "m" : text[0];
  const path = COX_PICTURES[kind] || STAR;
  const number = { C: "C", K: "" }[text[1]] ?? text[1];
  const label = draw("text", { x: 30, y: 71, class: "small" });
  label.textContent = text[1] === "C" ? "captain" : text === "BK" ? "bank" : COX_NAMES[text[0]];
  if (label.textContent.length > 8) label.setAttribute("class", "small tight");
  const parts = [...bothCorners(number, null).slice(0, 1), pip(path, 30, 40, text[1] === "C" ? 34 : 30), label];
  if (text[1] === "C") parts.unshift(draw("circle", { cx: 30, cy: 40, r: 22, class: "frame" }));
  return parts;
}
