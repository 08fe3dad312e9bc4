/** The choice of games: pictures of cards, a filter by family, and the numbers of players that a game takes. */
(() => {
  const games = [...document.querySelectorAll(".game")];
  for (const picture of document.querySelectorAll("[data-cards]")) {
    picture.append(...picture.dataset.cards.split(" ").map(drawCard));
    picture.setAttribute("aria-hidden", "true");
  }
  const players = document.getElementById("players");
  const limit = () => {
    const chosen = games.find((game) => game.querySelector("input").checked);
    if (!chosen) return;
    [players.min, players.max] = chosen.dataset.players.split(" ");
    players.value = Math.min(Math.max(Number(players.value), Number(players.min)), Number(players.max));
  };
  games.forEach((game) => game.addEventListener("change", limit));
  const families = ["all", ...new Set(games.map((game) => game.dataset.family))];
  const bar = document.getElementById("families");
  bar.hidden = false;
  const buttons = families.map((family) => make("button", { type: "button", "aria-pressed": String(family === "all"), onclick: () => {
    games.forEach((game) => { game.hidden = family !== "all" && game.dataset.family !== family; });
    buttons.forEach((button, place) => button.setAttribute("aria-pressed", String(families[place] === family)));
  } }, family));
  bar.append(...buttons);
})();
