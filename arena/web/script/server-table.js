/** The source of a match's states that is a server: a table has an address there. */
class ServerTable {
  constructor(address) {
    this.address = address;
  }

  state(after) {
    return this.ask(`state?after=${after}`);
  }

  answer(message) {
    return this.ask("answer", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(message) });
  }

  /** Return the links beside a match that is over. */
  links() {
    return [["review", "Review"], ["replay", "Replay"], ["records.jsonl", "Record"]].map(
      ([path, text]) => make("a", { class: "button", href: `${this.address}/${path}` }, text));
  }

  /** Return what the server answers, also to what came too late, or in words why there is nothing. */
  async ask(path, options = {}) {
    const response = await fetch(`${this.address}/${path}`, options).catch(() => null);
    if (!response) return { problem: "The server does not answer." };
    const answer = await response.json().catch(() => ({}));
    if (response.ok || response.status === 409) return { answer };
    return { problem: answer.error || `The server answered with ${response.status}.` };
  }
}

const setup = JSON.parse(document.getElementById("setup").textContent);
const page = new PlayPage(setup, new ServerTable(setup.table));
