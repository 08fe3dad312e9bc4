/** Return the sort key of a cell: its first number, or its text in a text column. */
function sortKey(cell) {
  const text = cell.textContent.trim();
  const number = text.replaceAll(",", "").match(/^[<>~]?([-+]?\d+(\.\d+)?)/);
  if (number && !cell.classList.contains("w")) return Number(number[1]);
  return cell.classList.contains("w") ? text.toLowerCase() : null;
}

function compare(one, other) {
  if (one === null || other === null) return (one === null) - (other === null);
  return typeof one === "string" ? one.localeCompare(other) : one - other;
}

/** Sort by a column: numbers descending first, texts ascending. Cells without a number stay last. */
function sortBy(table, column) {
  const head = table.tHead.rows[0].cells[column];
  const body = table.tBodies[0];
  const first = head.classList.contains("w") || head.textContent.trim() === "rank" ? "ascending" : "descending";
  const turned = { ascending: "descending", descending: "ascending" }[head.getAttribute("aria-sort")];
  const order = turned || first;
  for (const cell of table.tHead.rows[0].cells) cell.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", order);
  const sign = order === "ascending" ? 1 : -1;
  const rows = [...body.rows].map((row) => [sortKey(row.cells[column]), row]);
  rows.sort(([one], [other]) => (one === null || other === null ? compare(one, other) : sign * compare(one, other)));
  body.append(...rows.map(([, row]) => row));
}

function makeSortable(table) {
  if (table.tBodies[0].rows.length < 2) return;
  [...table.tHead.rows[0].cells].forEach((cell, column) => {
    if (cell.tagName !== "TH") return;
    const button = make("button", { type: "button", onclick: () => sortBy(table, column) }, cell.textContent);
    cell.replaceChildren(button);
  });
}

function makeFilterable(table) {
  const rows = [...table.tBodies[0].rows];
  if (rows.length < 6) return;
  const result = make("output", {});
  const filter = (event) => {
    const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      left += !row.hidden;
    }
    result.value = words.length ? `${left} of ${rows.length} rows` : "";
  };
  const label = `Filter: ${table.caption.textContent}`;
  const input = make("input", { type: "search", placeholder: "Filter rows", "aria-label": label, oninput: filter });
  table.closest(".sheet").before(make("div", { class: "filter" }, input, result));
}

document.querySelectorAll("main table").forEach(makeSortable);
document.querySelectorAll("main table[data-filter]").forEach(makeFilterable);
