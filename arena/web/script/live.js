"use strict";

/** Follow a league or run: standings with bars that move, matches as they end, and a featured match that plays itself. */
(() => {
  const live = document.querySelector("[data-live]");
  const POLL_MS = 1000;
  let viewer = null;
  let waiting = null;
  let source = null;

  const whole = (value) => (value === null ? "" : value.toFixed(0));

  /** Create the bar of a rating on a scale; positions are set here, as the page allows no style attributes. */
  function bar(row, low, high) {
    const place = (value) => `${(100 * (value - low)) / (high - low)}%`;
    const range = make("span", { class: "range" });
    range.style.left = place(row.elo - (row.error || 0));
    range.style.right = `${100 - Number.parseFloat(place(row.elo + (row.error || 0)))}%`;
    const dot = make("span", { class: "dot-mark" });
    dot.style.left = place(row.elo);
    return make("div", { class: "bar", "aria-hidden": "true" }, range, dot);
  }

  function fill(table, rows) {
    const rated = rows.filter((row) => row.elo !== null);
    const low = Math.min(...rated.map((row) => row.elo - (row.error || 0)));
    const high = Math.max(...rated.map((row) => row.elo + (row.error || 0)), low + 1);
    const head = table.tHead.rows[0];
    if (head.cells.length < 5) head.append(make("th", { scope: "col", class: "w" }, "interval"));
    table.tBodies[0].replaceChildren(...rows.map((row) => make("tr", {},
      make("td", {}, row.rank), make("th", { scope: "row", class: "w" }, make("bdi", {}, row.bot)),
      make("td", {}, row.bound + whole(row.elo)), make("td", {}, whole(row.error)),
      make("td", { class: "w" }, row.elo === null ? "" : bar(row, low, high)))));
  }

  async function showOwn() {
    const response = await fetch(live.dataset.own);
    if (response.ok) fill(document.getElementById("own"), (await response.json()).rows);
  }

  function showStandings(found) {
    document.getElementById("about").textContent = found.summary;
    fill(document.getElementById("standings"), found.rows);
    if (live.dataset.own) showOwn();
  }

  function showMatches(found) {
    const signed = (value) => (value > 0 ? `+${value}` : `${value}`);
    document.getElementById("latest").replaceChildren(...found.map((match) => make("li", {},
      make("span", {}, match.game), " ", ...match.seats.flatMap((seat, place) => [
        place ? ", " : "", `${seat.placing} `, make("bdi", {}, seat.bot), ` (${signed(seat.payoff)})`]))));
  }

  /** Play a match that waits once the present one has ended. */
  function play() {
    const isPlaying = viewer && viewer.built && (viewer.place.step < viewer.last || viewer.place.deal < viewer.match.deals);
    if (!waiting || isPlaying) return;
    const element = document.getElementById("featured");
    const match = new Match(waiting);
    waiting = null;
    if (!viewer) viewer = new Viewer(element, [match]);
    else {
      viewer.pause();
      viewer.matches = [match];
      viewer.place = { match: match.number, deal: 1, step: 0, seat: null };
      viewer.follow(false);
    }
    const begin = () => (viewer.built === viewer.match ? viewer.timer || viewer.toggle() : setTimeout(begin, 100));
    if (!window.matchMedia("(prefers-reduced-motion: reduce)").matches) begin();
  }

  function connect() {
    source = new EventSource(live.dataset.live);
    const on = (kind, show) => source.addEventListener(kind, (event) => show(JSON.parse(event.data)));
    on("standings", showStandings);
    on("matches", showMatches);
    on("featured", (found) => {
      waiting = found;
      play();
    });
  }

  const button = document.getElementById("pause");
  button.hidden = false;
  button.addEventListener("click", () => {
    if (source) {
      source.close();
      source = null;
    } else connect();
    button.textContent = source ? "Pause" : "Continue";
  });
  connect();
  setInterval(play, POLL_MS);
})();
