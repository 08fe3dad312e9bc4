"use strict";

/** Let the drop area take what is dropped on it: a file, or all files of a folder under their paths. */
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
    data.append("name", form.elements.name.value);
    data.append("asks", "yes");
    const response = await fetch("/api/hand-ins", { method: "POST", body: data });
    const answer = await response.json();
    if (response.ok) {
      location.assign(response.status === 200 ? `${answer.url}?again` : answer.url);
      return;
    }
    form.querySelector(".problem")?.remove();
    form.prepend(make("p", { class: "problem", role: "alert" }, answer.error));
  };

  const takeLinked = async () => {
    const bot = await unpackBot(location.hash);
    const code = document.getElementById("code");
    if (!bot || !code) return;
    code.value = bot.code;
    document.getElementById("code-name").value = bot.name;
    code.closest("details")?.setAttribute("open", "");
    code.focus();
  };
  takeLinked();

  for (const area of document.querySelectorAll("[data-drop]")) {
    const form = area.querySelector("form");
    area.querySelector(".drop-words").hidden = false;
    const fields = [...form.querySelectorAll("[type=file]")];
    fields.forEach((field) => field.addEventListener("change", () => fields.filter((one) => one !== field).forEach((one) => { one.value = ""; })));
    area.addEventListener("dragover", (event) => {
      event.preventDefault();
      area.classList.add("over");
    });
    area.addEventListener("dragleave", (event) => area.classList.toggle("over", area.contains(event.relatedTarget)));
    area.addEventListener("drop", (event) => {
      event.preventDefault();
      area.classList.remove("over");
      const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
      if (entries.length) send(form, entries);
    });
  }
})();
