"use strict";

/** Show what happens in a check, and load the page again when it is over. */
(() => {
  const section = document.querySelector("[data-events]");
  if (!section) return;
  const words = { checking: "The check has begun.", placing: "It passed; its provisional places are being played." };
  const status = document.getElementById("status");
  const games = document.getElementById("games");
  const events = new EventSource(section.dataset.events);
  events.addEventListener("open", () => games.replaceChildren());
  events.addEventListener("state", (event) => {
    const state = JSON.parse(event.data);
    status.textContent = words[state] || state;
    document.getElementById("note")?.remove();
  });
  events.addEventListener("game", (event) => games.append(make("li", {}, JSON.parse(event.data))));
  events.addEventListener("hand-in", () => {
    events.close();
    const text = document.getElementById("note-text");
    if (text.value === text.defaultValue) location.reload();
    else status.textContent = "The check is finished. Save your note to see its result.";
  });
})();
