"use strict";

/** Renew the page while something is played, and at once when a round of a league's final is revealed. */
(() => {
  const { every, live } = document.getElementById("main").dataset;
  if (every) setTimeout(() => location.reload(), 1000 * Number(every));
  if (!live) return;
  let known = null;
  new EventSource(live).addEventListener("final", (event) => {
    if (known !== null && known !== event.data) location.reload();
    known = event.data;
  });
})();
