// The connection of this tab to the streams that all tabs share.

/** The name of the program that has the streams. */
const program = "streams.js";

const trusted = globalThis.trustedTypes?.createPolicy("streams", {createScriptURL: () => program});

/** A port to the streams. They run in this tab if the browser has no shared workers. */
function connect() {
  try {
    return new SharedWorker(trusted?.createScriptURL("") ?? program, {type: "module"}).port;
  } catch {
    const {port1, port2} = new MessageChannel();
    import("./streams.js").then(({serve}) => serve(port2));
    return port1;
  }
}

/** The time between two checks that the streams are alive. They report it every 5 seconds. */
const checkInterval = 6000;

export class Connection {
  #port;
  #query = "";
  #number = 0;
  /** The number of checks since the last message. */
  #silence = 0;
  #releaseLock = () => {};

  /**
   * `setState(state, text)`, `list(list)`, `change(change)`, `podcasts(podcasts)` and
   * `activities(activities)` receive the messages.
   */
  constructor(receiver) {
    this.receiver = receiver;
    this.#connect();
    // Counts checks, because a frozen tab does not receive messages, and does not check either.
    setInterval(() => {
      this.#silence += 1;
      if (this.#silence > 3) this.#reconnect();
    }, checkInterval);
    document.addEventListener("visibilitychange", () => this.#reportVisibility());
  }

  /** Follows a list instead of the one before. */
  open(query) {
    this.#query = query;
    this.#number += 1;
    this.receiver.setState("connecting", "Connecting…");
    this.#port.postMessage({kind: "open", query, number: this.#number});
  }

  /** Requests the list again. */
  requestList() {
    this.#port.postMessage({kind: "again"});
  }

  /** Reports that the server no longer has a version. */
  reportGone(version) {
    this.#port.postMessage({kind: "gone", version});
  }

  #connect() {
    const port = this.#port = connect();
    port.addEventListener("message", ({data}) => {
      if (port === this.#port) this.#receive(data);
    });
    port.start();
    this.#reportVisibility();
    // The streams notice that a tab is gone when they receive its lock.
    const lock = Math.random().toString(36).slice(2);
    navigator.locks?.request(lock, () => {
      port.postMessage({kind: "tab", lock});
      return new Promise((resolve) => { this.#releaseLock = resolve; });
    });
  }

  #reportVisibility() {
    this.#port.postMessage({kind: "visibility", isVisible: !document.hidden});
  }

  /** Connects again when the streams have ended without notice. */
  #reconnect() {
    this.#silence = 0;
    this.#releaseLock();
    this.#connect();
    this.open(this.#query);
  }

  #receive({kind, number, state, text, list, change, podcasts, activities}) {
    this.#silence = 0;
    this.#port.postMessage({kind: "received"});
    if (kind === "podcasts") this.receiver.podcasts(podcasts);
    if (kind === "activities") this.receiver.activities(activities);
    if (number !== this.#number) return;
    if (kind === "state") this.receiver.setState(state, text);
    else if (kind === "list") this.receiver.list(list);
    else if (kind === "change") this.receiver.change(change);
  }
}
