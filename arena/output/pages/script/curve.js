const CURVE = { width: 1000, height: 220 };

/** Draw the chance of each seat to be placed ahead of another at each step of a deal; null without chances. */
function chanceCurve(match, deal) {
  if (!deal.chances) return null;
  const last = Math.max(deal.chances.length - 1, 1);
  const x = (step) => (step / last) * CURVE.width;
  const y = (chance) => CURVE.height - (chance / 1000) * CURVE.height;
  const lines = match.bots.map((_, seat) => draw("polyline", {
    points: deal.chances.map((chances, step) => `${x(step).toFixed(1)},${y(chances[seat]).toFixed(1)}`).join(" "),
    class: `chance chance-${seat % 8}` }));
  const half = draw("line", { x1: 0, x2: CURVE.width, y1: y(500), y2: y(500), class: "chance-half" });
  const now = draw("line", { x1: 0, x2: 0, y1: 0, y2: CURVE.height, class: "chance-now" });
  const picture = draw("svg", { viewBox: `0 0 ${CURVE.width} ${CURVE.height}`, preserveAspectRatio: "none", role: "img",
    "aria-label": "Chance of each seat to be placed ahead of another, by step" }, half, ...lines, now);
  const values = make("ul", { class: "legend chance-values" });
  const error = Math.round(deal.chance_error / 5) || 1;
  const note = make("p", { class: "note" }, `Chance to be placed ahead of another seat, in percent, \u00b1 ${error} or less.`);
  const show = (step) => {
    for (const end of ["x1", "x2"]) now.setAttribute(end, x(step));
    values.replaceChildren(...match.bots.map((bot, seat) => make("li", {}, make("span", { class: `dot lead-${seat % 8}` }),
      `${bot} ${Math.round(deal.chances[step][seat] / 10)}`)));
  };
  return { element: make("div", { class: "curve" }, picture, values, note), show };
}
