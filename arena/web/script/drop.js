"use strict";

/** Let a form take what is dropped on it: a file, or all files of a folder under their paths. */
(() => {
  const read = (entry, path) => new Promise((resolve, reject) => {
    if (entry.isFile) {
      entry.file((file) => resolve([[path + entry.name, file]]), reject);
      return;
    }
    const reader = entry.createReader();
    const found = [];
    const next = () => reader.readEntries(async (entries) => {
      if (!entries.length) {
        resolve((await Promise.all(found)).flat());
        return;
      }
      found.push(...entries.map((inner) => read(inner, `${path}${entry.name}/`)));
      next();
    }, reject);
    next();
  });

  const send = async (form, entries) => {
    const files = (await Promise.all(entries.map((entry) => read(entry, "")))).flat();
    const data = new FormData();
    for (const [path, file] of files) data.append("bot", file, path);
    const name = form.elements.namedItem("name");
    if (name) data.append("name", name.value);
    data.append("asks", "yes");
    const response = await fetch("/api/hand-ins", { method: "POST", body: data });
    const answer = await response.json();
    if (response.ok) {
      location.assign(response.status === 200 ? `${answer.url}?again` : answer.url);
      return;
    }
    form.querySelector(".error")?.remove();
    form.prepend(make("p", { class: "error", role: "alert" }, answer.error));
  };

  const takeLinked = async () => {
    const bot = await unpackBot(location.hash);
    const code = document.getElementById("code");
    if (!bot || !code) return;
    code.value = bot.code;
    document.getElementById("code-name").value = bot.name;
    code.focus();
  };
  takeLinked();

  for (const form of document.querySelectorAll("form[data-drop]")) {
    form.addEventListener("dragover", (event) => {
      event.preventDefault();
      form.classList.add("over");
    });
    form.addEventListener("dragleave", () => form.classList.remove("over"));
    form.addEventListener("drop", (event) => {
      event.preventDefault();
      form.classList.remove("over");
      const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
      if (entries.length) send(form, entries);
    });
  }
})();
