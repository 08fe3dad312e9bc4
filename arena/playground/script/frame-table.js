/** The source of a match's states that is the page around this frame, whose worker plays the match. */
class FrameTable {
  constructor() {
    this.waiting = [];
    addEventListener("message", ({ source, data }) => {
      if (source === parent) this.waiting.shift()(data);
    });
    const leave = document.querySelector("a.button[href='/play']");
    leave.addEventListener("click", (event) => {
      event.preventDefault();
      this.tell("leave");
    });
  }

  state() {
    return this.ask({ kind: "state" });
  }

  answer(answer) {
    return this.ask({ kind: "answer", answer });
  }

  /** Return the buttons beside a match that is over. */
  links() {
    return [["replay", "Replay"], ["records", "Record"]].map(
      ([kind, text]) => make("button", { type: "button", onclick: () => this.tell(kind) }, text));
  }

  /** Return what the page answers, as an answer or a problem in words; one after another. */
  ask(request) {
    this.tell("ask", request);
    return new Promise((resolve) => { this.waiting.push(resolve); });
  }

  tell(kind, request = {}) {
    parent.postMessage({ kind, request }, "*");
  }
}

const page = new PlayPage(JSON.parse(document.getElementById("setup").textContent), new FrameTable());
