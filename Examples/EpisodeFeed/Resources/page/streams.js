// The streams of events from the server, shared by all tabs that show the page.
//
// A browser opens about six connections to a server, and each stream occupies one.
// This program is a shared worker: it runs once for all tabs, and ends with the
// last one. It follows the podcasts and each list with one stream, and has a model
// of the list, so that a tab that opens the list later receives it without another
// stream.
//
// A tab sends these messages:
//   {kind: "tab", lock}            the name of a lock that the tab holds while it exists
//   {kind: "visibility", isVisible}
//                                  whether the user sees the tab
//   {kind: "open", query, number}  follows a list instead of the one before
//   {kind: "received"}             the tab has received a message
//   {kind: "again"}                the tab needs the list again
//   {kind: "gone", version}        the server no longer has this version
//
// A tab receives these messages. `number` is that of its `open`:
//   {kind: "alive"}                        every 5 seconds, if the tab has received all messages
//   {kind: "state", number, state, text}   the state of the connection
//   {kind: "list", number, list}, {kind: "change", number, change}
//                                          the events of the server
//   {kind: "podcasts", podcasts}           all podcasts
//   {kind: "activities", activities}       all activities of the server

import {ListModel, OutOfStep} from "./model.js";

/**
 * The maximum number of followed lists. Two connections remain for other requests. Lists that
 * only hidden tabs show are not followed if others need the connections.
 */
const listLimit = 3;
/** The time without bytes after which a stream is lost. The server sends bytes every 5 seconds. */
const maximumSilence = 15_000;
/** The time after which a tab shows that it waits for a connection. */
const patience = 5000;
/** The maximum time until the server answers. It may have to fetch a large list. */
const maximumWait = 60_000;
/** The number of rows of a list that a tab receives first. */
const firstRowCount = 60;
/** The maximum number of messages that a tab has not received, because it is frozen or slow. */
const unreadLimit = 32;

/** The followed lists by their queries. */
const lists = new Map();

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** A tab, as the streams see it. */
class Tab {
  number = 0;
  isVisible = true;
  list = null;
  #port;
  #unread = 0;
  /** Whether a message was not sent, so that the tab needs the state and the list. */
  #isBehind = false;

  constructor(port) {
    this.#port = port;
    port.onmessage = ({data}) => this.#receive(data);
    const beat = setInterval(() => {
      if (this.#unread === 0) this.send({kind: "alive"});
    }, 5000);
    this.end = () => {
      clearInterval(beat);
      this.list?.remove(this);
      podcasts.remove(this);
    };
    podcasts.add(this);
  }

  #receive({kind, lock, isVisible, query, number, version}) {
    if (kind === "tab") navigator.locks?.request(lock, this.end);
    else if (kind === "visibility") this.#show(isVisible);
    else if (kind === "open") this.#open(query, number);
    else if (kind === "again") this.sendList();
    else if (kind === "gone") this.list?.restart(version);
    else if (kind === "received") this.#finish();
  }

  #show(isVisible) {
    this.isVisible = isVisible;
    assignStreams();
  }

  #finish() {
    this.#unread -= 1;
    if (!this.#isBehind || this.#unread > 0) return;
    this.#isBehind = false;
    podcasts.sendTo(this);
    if (!this.list) return;
    this.send(this.list.state);
    this.sendList();
  }

  #open(query, number) {
    this.number = number;
    // The server cancels a list that is still being fetched when the same name opens another one.
    const name = this.list?.remove(this);
    this.list = lists.get(query) ?? new SharedList(query, name);
    this.list.add(this);
  }

  sendList() {
    if (this.list.model.version) this.send({kind: "list", list: this.list.contents});
  }

  send(message) {
    if (this.#isBehind || this.#unread >= unreadLimit) {
      this.#isBehind = true;
      return;
    }
    this.#unread += 1;
    this.#port.postMessage({...message, number: this.number});
  }
}

/** A stream of events, and the tabs that receive them. */
class Stream {
  tabs = new Set();
  /** Identifies the current run of `#follow`; null while the stream is not followed. */
  #run = null;
  #attempt = new AbortController();

  /** Removes a tab. The stream ends with the last one. */
  remove(tab) {
    this.tabs.delete(tab);
    if (this.tabs.size === 0) this.stop();
  }

  get isFollowed() {
    return this.#run !== null;
  }

  /** Starts to follow the stream. */
  start() {
    this.#run = {};
    this.#follow(this.#run);
  }

  stop() {
    this.#run = null;
    this.abort();
  }

  /** Ends the current attempt to read the stream. */
  abort() {
    this.#attempt.abort();
  }

  async #follow(run) {
    this.setState("connecting", "Connecting…");
    while (this.#run === run) {
      this.#attempt = new AbortController();
      let problem = "Connection lost. Reconnecting…";
      try {
        await this.#read();
      } catch (error) {
        if (error instanceof Refusal) problem = error.message;
        else if (error instanceof OutOfStep) this.model.version = "";
      }
      if (this.#run !== run) return;
      this.setState("lost", problem);
      await pause(1000);
    }
  }

  /** Reads the stream once, until it ends. */
  async #read() {
    const attempt = this.#attempt;
    const isWaiting = setTimeout(() => {
      this.setState("lost", "The server does not answer. Still trying…");
    }, patience);
    let watchdog = 0;
    const expectBytes = (time) => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => attempt.abort(), time);
    };
    try {
      expectBytes(maximumWait);
      const {path, headers} = this.request;
      const response = await fetch(path, {signal: attempt.signal, headers});
      if (!response.ok) throw new Refusal(await refusal(response));
      clearTimeout(isWaiting);
      this.setState("live", "Live");
      await readEvents(response.body, (event) => {
        expectBytes(maximumSilence);
        if (event) this.receive(event.name, JSON.parse(event.data));
      });
    } finally {
      clearTimeout(isWaiting);
      clearTimeout(watchdog);
      attempt.abort();
    }
  }
}

/** A list, and the stream that follows it. */
class SharedList extends Stream {
  model = new ListModel();
  /** The message with the state of the connection. */
  state = {kind: "state", state: "connecting", text: "Connecting…"};

  /** `name` is that of the stream; the default is a new one. */
  constructor(query, name = Math.random().toString(36).slice(2)) {
    super();
    this.query = query;
    this.name = name;
    lists.set(query, this);
  }

  get request() {
    const {version} = this.model;
    const headers = version ? {"Last-Event-ID": version} : {};
    return {path: `events?${this.query}&page=${this.name}`, headers};
  }

  get isVisible() {
    return [...this.tabs].some((tab) => tab.isVisible);
  }

  add(tab) {
    this.tabs.add(tab);
    assignStreams();
    tab.send(this.state);
    tab.sendList();
  }

  /** Removes a tab. Returns the name of the stream if it ends. */
  remove(tab) {
    super.remove(tab);
    if (this.tabs.size > 0) return undefined;
    lists.delete(this.query);
    assignStreams();
    return this.name;
  }

  /** Waits for a connection, which another list has. */
  wait() {
    if (this.isFollowed) this.stop();
    if (this.state.state !== "waiting") {
      this.setState("waiting", "Too many different lists are open. Close another tab.");
    }
  }

  setState(state, text) {
    this.state = {kind: "state", state, text};
    for (const tab of this.tabs) tab.send(this.state);
  }

  /** The list, in the form of the server's `list` event. */
  get contents() {
    const {version, sections, positions, count} = this.model;
    const rows = Array.from({length: Math.min(count, firstRowCount)}, (_, position) => {
      const {id, episode} = positions.get(position) ?? {episode: null};
      return {id, episode};
    });
    return {version, sections, rows};
  }

  /** Reads the list again, if the version is still its newest one. */
  restart(version) {
    if (version !== this.model.version || this.state.state !== "live") return;
    this.model.version = "";
    this.abort();
  }

  receive(name, content) {
    if (name === "list") {
      this.model.open(content);
      for (const tab of this.tabs) tab.sendList();
    } else if (name === "change") {
      this.model.apply(content);
      this.model.trim(0);
      for (const tab of this.tabs) tab.send({kind: "change", change: content});
    }
  }
}

/**
 * The podcasts and the activities, and the stream that follows them. The tabs show the state
 * of their lists only.
 */
class SharedPodcasts extends Stream {
  request = {path: "podcasts", headers: {}};
  /** The newest messages by their kinds. */
  #messages = new Map();

  add(tab) {
    this.tabs.add(tab);
    if (!this.isFollowed) this.start();
    this.sendTo(tab);
  }

  setState() {}

  sendTo(tab) {
    for (const message of this.#messages.values()) tab.send(message);
  }

  receive(kind, content) {
    const message = {kind, ...content};
    this.#messages.set(kind, message);
    for (const tab of this.tabs) tab.send(message);
  }
}

const podcasts = new SharedPodcasts();

/** Follows the lists that visible tabs show, and others as long as connections remain. */
function assignStreams() {
  const all = [...lists.values()].sort(
    (a, b) => b.isVisible - a.isVisible || b.isFollowed - a.isFollowed);
  for (const list of all.slice(listLimit)) list.wait();
  for (const list of all.slice(0, listLimit)) if (!list.isFollowed) list.start();
}

/** The server has refused to send the events of a list. */
class Refusal extends Error {}

async function refusal(response) {
  const answer = await response.json().catch(() => ({}));
  return answer.error?.message ?? `The server answered ${response.status}.`;
}

/**
 * Reads server-sent events, `{name, data}`. Also calls the function without an event when
 * bytes arrive, such as those of a comment.
 */
async function readEvents(body, receive) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let event = {name: "message", data: []};
  while (true) {
    const {done, value} = await reader.read();
    if (done) return;
    receive();
    rest += value;
    if (!value.includes("\n")) continue;
    const lines = rest.split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const [, field, content] = /^([^:]*):? ?(.*)$/s.exec(line);
      if (field === "event") event.name = content;
      else if (field === "data") event.data.push(content);
      else if (line === "") {
        if (event.data.length > 0) receive({name: event.name, data: event.data.join("\n")});
        event = {name: "message", data: []};
      }
    }
  }
}

/** Serves a tab at the other end of a port. */
export function serve(port) {
  new Tab(port);
}

globalThis.onconnect = ({ports: [port]}) => serve(port);
