// The page: the list, the commands, and the keyboard.
//
// The page receives the sections and the first rows of the list, and then each
// change. It requests other rows when they come near the viewport. The article
// "Following a list from a web page" describes the protocol.

import {ActivityBar} from "./activities.js";
import {Connection} from "./connection.js";
import {Details} from "./details.js";
import {ListModel, OutOfStep} from "./model.js";
import {News} from "./news.js";
import {Player} from "./player.js";
import {RowMenu} from "./row-menu.js";
import {Sidebar} from "./sidebar.js";
import {dates, numbers, time, unplayedText, webAddress} from "./text.js";
import {TitleEditor} from "./title-editor.js";
import {ListView} from "./view.js";

const $ = (id) => document.getElementById(id);
const [grid, search, sections, order, hidePlayed] =
  ["list", "search", "sections", "order", "hide-played"].map($);

const model = new ListModel();
const view = new ListView({
  grid, canvas: $("canvas"), model, fill: fillRow, fillSection, need: requestRows,
});
const news = new News({
  view, badges: $("changes"), above: $("above"), announcer: $("announcer"),
});
const titles = new TitleEditor({
  view, fill: fillRow, save: (row, title, was) => commands.rename(row, title, was),
  report: (message) => toast(message, {isError: true}),
});
const menu = new RowMenu({
  menu: $("menu"), view, address: (row) => webAddress(row.episode.url),
  commands: {
    play: (row) => playRow(row),
    details: () => details.toggle(true),
    edit: (row) => titles.begin(row),
    delete: (row) => commands.delete(row),
  },
});

// Show notes and the player

const wide = matchMedia("(min-width: 1200px)");
const details = new Details({
  pane: $("details"), button: $("show-details"), fetch: send, isWide: () => wide.matches,
  play: (episode, seconds) => player.play(episode, seconds),
  togglePlayed: (episode) => commands.togglePlayed({id: episode.id, episode}),
  leave: focusList,
});
const player = new Player({
  bar: $("player"), chapters: (episode) => details.chapters(episode),
  report: (message) => toast(message, {isError: true}),
  save: savePosition, finish: finishEpisode,
  reveal: (id) => {
    const row = model.rows.get(id);
    if (row) view.select(row.position);
    else details.select(id);
    focusList();
  },
  leave: focusList,
});

/** Moves the focus to the list. */
function focusList() {
  grid.focus({preventScroll: true});
}

/** The ID of the row whose details are shown. */
let selectedID;
/** Shows the details of the row that the list marks as selected. */
const selection = new MutationObserver(() => {
  const row = activeRow();
  if (!row || row.id === selectedID) return;
  selectedID = row.id;
  details.select(row.id);
});
selection.observe(grid, {attributes: true, attributeFilter: ["aria-activedescendant"]});
wide.addEventListener("change", () => details.adapt());

let playing = 0;

/** Plays the episode of a row, or pauses it. Only the last of several calls plays. */
function playRow(row) {
  playing += 1;
  if (row.id === player.current?.id) return player.toggle();
  const number = playing;
  return perform(async () => {
    const episode = await details.read(row.id);
    if (number === playing) player.play(episode);
    return {};
  });
}

/** Remembers a position. The request survives the page if it is the last one. */
function savePosition(episode, seconds, isLast = false) {
  details.showPosition(episode, seconds);
  fetch("position", {
    method: "PUT", keepalive: isLast, headers: {"Content-Type": "application/json"},
    body: JSON.stringify({podcast: episode.podcast, episode: episode.episode, seconds}),
  }).catch(() => {});
}

/** Marks an episode as played, unless its row is that of another episode now. */
async function finishEpisode({id, podcast, episode}) {
  const now = await details.read(id).catch(() => ({}));
  if (now.podcast === podcast && now.episode === episode && !now.isPlayed) {
    change({id}, {isPlayed: true});
  }
}

// The list on the screen

const sidebar = new Sidebar({list: $("podcasts"), empty: $("no-podcasts"), choose: choosePodcast});
const activities = new ActivityBar({
  bar: $("activities"), cancel: (id) => perform(() => send("DELETE", `activities/${id}`)),
});
const connection = new Connection({
  setState: setConnection, list: showList, change: showChange, podcasts: showPodcasts,
  activities: (list) => activities.show(list),
});

let query = "";
/** The query of the list on the screen. */
let shown = null;

/** Opens the list that the controls describe. */
function open() {
  const parameters = new URLSearchParams({sections: sections.value, search: search.value.trim()});
  if (order.value !== "newest") parameters.set("order", order.value);
  if (sidebar.selected !== null) parameters.set("podcast", sidebar.selected);
  if (hidePlayed.checked) parameters.set("played", "hide");
  query = `${parameters}`;
  history.replaceState(null, "", `?${query}`);
  $("heading").textContent = sidebar.selected || "Episodes";
  connection.open(query);
}

function showPodcasts(podcasts) {
  sidebar.show(podcasts);
  showRefresh();
}

/** Shows what the button refreshes: the chosen podcast, or all podcasts. */
function showRefresh() {
  const title = sidebar.selected;
  const feeds = sidebar.podcasts.filter((podcast) => podcast.isRemembered);
  const isPossible = title === null
    ? feeds.length > 0 : feeds.some((podcast) => podcast.title === title);
  $("refresh").hidden = !isPossible;
  $("refresh").ariaLabel = title === null ? "Refresh all podcasts" : `Refresh ${title}`;
  $("refresh").title = `${$("refresh").ariaLabel} (Shift R)`;
}

function choosePodcast(title) {
  sidebar.select(title);
  showRefresh();
  $("sidebar").hidePopover();
  open();
}

function showList(list) {
  titles.end();
  view.open(list, query === shown);
  if (query !== shown) news.clear();
  shown = query;
  afterUpdate();
  details.reload();
  news.announce(`${episodes(model.count)}.`);
}

function showChange(change) {
  try {
    if (view.editing && isDeleted(view.editing.id, change)) {
      titles.end("The episode was deleted.");
    }
    const records = view.change(change);
    news.add(records);
    details.update(records);
    afterUpdate();
  } catch (error) {
    if (!(error instanceof OutOfStep)) throw error;
    console.warn(`The list is opened again: ${error.message}.`);
    connection.requestList();
  }
}

function isDeleted(id, {changes}) {
  return changes.rows?.some((row) => row.id === id && !row.new) ?? false;
}

function afterUpdate() {
  grid.dataset.version = model.version;
  grid.ariaBusy = "false";
  $("count").textContent = episodes(model.count);
  const number = model.sections.length;
  $("sections-count").textContent = model.isSectioned && number > 0
    ? `in ${numbers.format(number)} ${number === 1 ? "section" : "sections"}` : "";
  menu.update();
  selectReturning();
  showEmpty();
}

/** The row that an undo has changed, until it is in the list. */
let returning;
let returningEnd = 0;

/** Selects the row that an undo has changed, as soon as it is in the list. */
function selectLater(id) {
  returning = id;
  clearTimeout(returningEnd);
  returningEnd = setTimeout(() => { returning = undefined; }, 5000);
  selectReturning();
}

function selectReturning() {
  const row = model.rows.get(returning);
  if (!row) return;
  returning = undefined;
  view.select(row.position);
}

function showEmpty() {
  const text = search.value.trim();
  if (text !== "") {
    showMessage(`No episode matches “${text}”`,
      "Press Esc in the search field to show all episodes.");
  } else if (hidePlayed.checked) {
    showMessage("No episodes that are not played", "Turn off “Hide played” to show the others.");
  } else if (sidebar.selected !== null) {
    showMessage(`No episodes of “${sidebar.selected}”`, "Choose another podcast.");
  } else {
    showMessage("No episodes yet", "Drop the file of a feed here, or import one.", true);
  }
  $("empty").hidden = model.count > 0;
}

/** Shows a message in place of the list. */
function showMessage(heading, advice, canImport = false) {
  $("empty").hidden = false;
  $("empty").querySelector(".heading").textContent = heading;
  $("empty").querySelector(".advice").textContent = advice;
  $("empty").querySelector(".import").hidden = !canImport;
}

let requests = 0;

/** Requests rows. At most two requests run at a time. */
async function requestRows(from, count) {
  if (requests >= 2 || !model.version) return;
  requests += 1;
  const window = model.startWindow(from, Math.min(count, 200));
  const parameters = new URLSearchParams(query);
  parameters.set("version", window.version);
  parameters.set("from", from);
  parameters.set("count", window.positions.length);
  try {
    const {rows} = await send("GET", `rows?${parameters}`);
    model.finishWindow(window, rows);
  } catch (error) {
    model.finishWindow(window);
    // The server no longer has the version, or is not reachable: try again later.
    await new Promise((resolve) => setTimeout(resolve, 500));
    if (error.code === "gone" && model.version === window.version) {
      connection.reportGone(window.version);
    }
  } finally {
    requests -= 1;
    view.schedule();
  }
}

// Rows

function fillRow(node, {id, episode}) {
  const part = (name) => node.querySelector(`.${name}`);
  const name = episode.title || episode.summary || "Untitled";
  if (view?.editing?.id !== id) part("title").textContent = name;
  part("summary").textContent = episode.title ? episode.summary ?? "" : "";
  part("podcast").textContent = episode.podcast ?? "";
  part("date").textContent = episode.publishedAt ? dates.format(new Date(episode.publishedAt)) : "";
  part("date").dateTime = episode.publishedAt ?? "";
  part("duration").textContent = time(episode.duration);
  part("paid").hidden = episode.kind !== "paid";
  node.classList.toggle("is-played", episode.isPlayed);
  part("toggle").ariaPressed = `${episode.isPlayed}`;
  part("toggle").ariaLabel = "Played";
  part("toggle").title = episode.isPlayed ? "Played (Space)" : "Not played (Space)";
  const parts = ["podcast", "date", "duration"].map((key) => part(key).textContent);
  const kind = episode.kind === "paid" ? "paid" : "";
  node.ariaLabel = [name, episode.isPlayed ? "played" : "not played", ...parts, kind]
    .filter((text) => text).join(", ");
}

function fillSection(node, {key, count, unplayed}) {
  node.querySelector(".name").textContent = sectionName(key);
  node.querySelector(".number").textContent = numbers.format(count);
  node.querySelector(".unplayed").textContent = unplayedText(unplayed, count);
}

function sectionName(key) {
  const kind = sections.selectedOptions[0].textContent;
  const value = key?.integer ?? key?.real ?? key;
  if (value === null || value === "") return `No ${kind.toLowerCase()}`;
  return typeof value === "number" ? `${kind} ${value}` : value;
}

function episodes(count) {
  return `${numbers.format(count)} ${count === 1 ? "episode" : "episodes"}`;
}

/** The time after which the page shows that it waits for a list. */
const patience = 150;
let waiting = 0;

function setConnection(state, text) {
  clearTimeout(waiting);
  if (state !== "connecting" || shown === null) return showConnection(state, text);
  const isSearch = query !== shown && search.value.trim() !== "";
  waiting = setTimeout(() => showConnection(state, isSearch ? "Searching…" : text), patience);
}

function showConnection(state, text) {
  if (state === "connecting") grid.ariaBusy = "true";
  $("connection").dataset.state = state;
  $("connection").textContent = text;
  const isProblem = state === "lost" || state === "waiting";
  if (isProblem && query !== shown) showMessage("The list cannot be shown", text);
}

// Commands

/** Sends a request, and returns the answer. Throws the server's error. */
async function send(method, path, body, type = "application/json") {
  const response = await fetch(path, {
    method, body, headers: body === undefined ? {} : {"Content-Type": type},
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  const {code = "failed", message = `The server answered ${response.status}.`, details = [],
    current} = answer.error ?? {};
  throw Object.assign(new Error(message), {code, details, current});
}

/** Runs a command, and shows its message or its error. Returns the error, if any. */
async function perform(command) {
  try {
    const {message, details, canUndo} = await command();
    if (message) toast(message, {undo: canUndo, details});
    return undefined;
  } catch (error) {
    toast(error.code ? error.message : "The server is not reachable.",
      {details: error.details, isError: true});
    return error;
  }
}

/**
 * Runs a command that may take long. All tabs run one at a time, because each takes a connection
 * of the few that a browser opens to a server.
 */
function performLong(command) {
  const run = () => perform(command);
  return navigator.locks ? navigator.locks.request("long command", run) : run();
}

const path = (row) => `episodes/${encodeURIComponent(row.id)}`;

/** Changes values of a row. Returns the error, if any. */
async function change(row, values, was) {
  news.expect(row.id, Object.keys(values));
  const error = await perform(() => send("PATCH", path(row), JSON.stringify({...values, was})));
  if (error) news.forget(row.id);
  return error;
}

/** Undoes or redoes a command, and selects the row that it has changed. */
function revert(path) {
  return perform(async () => {
    const answer = await news.hold(() => send("POST", path));
    selectLater(answer.id);
    return answer;
  });
}

const commands = {
  async togglePlayed(row) {
    const isPlayed = !row.episode.isPlayed;
    if (!await change(row, {isPlayed})) news.announce(isPlayed ? "Played" : "Not played");
  },
  rename: (row, title, was) => change(row, {title}, {title: was}),
  async delete(row) {
    news.expect(row.id);
    const error = await perform(async () => ({...await send("DELETE", path(row)), canUndo: true}));
    if (error) news.forget(row.id);
  },
  undo: () => revert("undo"),
  redo: () => revert("redo"),
  refresh() {
    if ($("refresh").hidden) return;
    const podcast = sidebar.selected;
    const query = podcast === null ? "" : `?${new URLSearchParams({podcast})}`;
    performLong(() => send("POST", `refresh${query}`));
  },
  open(row) {
    const url = webAddress(row.episode.url);
    if (url) window.open(url, "_blank", "noopener,noreferrer");
  },
};

function toast(message, {undo = false, isError = false, details = []} = {}) {
  const node = document.createElement("div");
  node.className = "toast";
  node.classList.toggle("error", isError);
  if (isError) node.role = "alert";
  const text = document.createElement("p");
  text.textContent = message;
  node.append(text);
  for (const detail of details.slice(0, 5)) {
    const line = document.createElement("p");
    line.className = "detail";
    line.textContent = detail;
    node.append(line);
  }
  if (undo) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Undo";
    button.onclick = () => {
      node.remove();
      grid.focus();
      commands.undo();
    };
    node.append(button);
  }
  if (!isError) $("toasts").querySelectorAll(".toast:not(.error)").forEach((old) => old.remove());
  $("toasts").append(node);
  while ($("toasts").children.length > 3) $("toasts").firstElementChild.remove();
  setTimeout(() => node.remove(), isError ? 10_000 : 5000);
}

// Keyboard and pointer

const activeRow = () => model.positions.get(view.active);

grid.addEventListener("keydown", (event) => {
  if (event.target !== grid || event.altKey) return;
  const isCommand = event.ctrlKey || event.metaKey;
  const [first, last] = view.visible;
  const page = Math.max(1, last - first - 1);
  const row = activeRow();
  const actions = {
    ArrowDown: () => view.select(view.active + 1),
    ArrowUp: () => view.select(Math.max(0, view.active - 1)),
    PageDown: () => view.select(view.active + page),
    PageUp: () => view.select(Math.max(0, view.active - page)),
    Home: () => view.select(0),
    End: () => view.select(model.count - 1),
    " ": () => row && commands.togglePlayed(row),
    Enter: () => titles.begin(row),
    F2: () => titles.begin(row),
    Delete: () => row && commands.delete(row),
    Backspace: () => row && commands.delete(row),
    o: () => row && commands.open(row),
    p: () => row ? playRow(row) : player.toggle(),
    m: () => menu.open(row),
  };
  Object.assign(actions, {j: actions.ArrowDown, k: actions.ArrowUp, e: actions.Enter});
  const action = !isCommand && actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented) return;
  if (event.altKey) return;
  if (event.target.closest("input:not([type=checkbox]), select, dialog, .menu")) return;
  const isCommand = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  const actions = isCommand
    ? {z: event.shiftKey ? commands.redo : commands.undo, y: commands.redo}
    : {
      "/": () => search.select(), u: commands.undo, "?": showHelp,
      r: event.shiftKey ? commands.refresh : commands.redo,
      n: () => details.toggle(), p: () => player.toggle(),
    };
  if (!isCommand && player.isOpen) {
    Object.assign(actions, {
      arrowleft: () => player.goBack(), arrowright: () => player.goForward(),
      "[": () => player.changeSpeed(-1), "]": () => player.changeSpeed(1),
    });
  }
  if (!actions[key]) return;
  event.preventDefault();
  actions[key]();
});

grid.addEventListener("click", (event) => {
  const node = event.target.closest(".row");
  const row = node && model.rows.get(node.row.id);
  if (!row || event.target.closest("input")) return;
  view.active = row.position;
  view.render();
  if (event.target.closest(".more")) return menu.open(row, event);
  if (event.target.closest(".toggle")) commands.togglePlayed(row);
  focusList();
});

// The menu key.
grid.addEventListener("contextmenu", (event) => {
  if (event.target !== grid || event.button === 2) return;
  event.preventDefault();
  menu.open(activeRow());
});

grid.addEventListener("dblclick", (event) => {
  const node = event.target.closest(".row");
  if (node && event.target.closest(".text")) titles.begin(model.rows.get(node.row.id));
});

$("above").addEventListener("click", () => {
  view.select(0);
  grid.focus();
});

// Search, view and import

/** The time without another letter after which the page searches. */
const searchDelay = 60;
let searching = 0;

search.addEventListener("input", () => {
  clearTimeout(searching);
  searching = setTimeout(open, searchDelay);
});
search.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && search.value !== "") {
    search.value = "";
    open();
  } else if (event.key === "Escape" || event.key === "ArrowDown" || event.key === "Enter") {
    event.preventDefault();
    grid.focus();
  }
});
for (const control of [sections, order, hidePlayed]) control.addEventListener("change", open);
// A wide window shows the sidebar beside the list.
matchMedia("(min-width: 960px)").addEventListener("change", () => $("sidebar").hidePopover());
$("undo").addEventListener("click", commands.undo);
$("redo").addEventListener("click", commands.redo);
$("refresh").addEventListener("click", commands.refresh);
$("help").addEventListener("click", showHelp);

function showHelp() {
  $("help-dialog").showModal();
}

for (const button of document.querySelectorAll(".import")) {
  button.addEventListener("click", () => {
    $("sidebar").hidePopover();
    $("import-dialog").showModal();
  });
}
$("import-dialog").querySelector(".close").addEventListener(
  "click", () => $("import-dialog").close());
$("import-dialog").querySelector("form").addEventListener("submit", () => {
  const [file] = $("import-file").files;
  if (file) importFile(file);
  else if ($("import-url").value) importURL($("import-url").value);
  $("import-file").value = "";
});

const maximumFileSize = 32 * 1024 * 1024;

function importFile(file) {
  if (file.size > maximumFileSize) {
    return toast(`${file.name} is larger than 32 MB.`, {isError: true});
  }
  return performLong(() => send("POST", "import/file", file, "application/octet-stream"));
}

function importURL(url) {
  return performLong(() => send("POST", "import/url", JSON.stringify({url})));
}

let drags = 0;
const showDrop = (change) => {
  drags = Math.max(0, drags + change);
  $("drop").classList.toggle("is-visible", drags > 0);
};
addEventListener("dragenter", (event) => {
  if (event.dataTransfer.types.includes("Files")) showDrop(1);
});
addEventListener("dragleave", () => showDrop(-1));
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  showDrop(-drags);
  for (const file of event.dataTransfer.files) importFile(file);
});

const parameters = new URLSearchParams(location.search);
search.value = parameters.get("search") ?? "";
/** Sets a control to a parameter of the address, if it is one of its choices. */
function restore(control, name, standard) {
  control.value = parameters.get(name) ?? standard;
  if (control.selectedIndex < 0) control.value = standard;
}
restore(sections, "sections", "season");
restore(order, "order", "newest");
hidePlayed.checked = parameters.get("played") === "hide";
sidebar.select(parameters.get("podcast"));
details.adapt();
open();
focusList();
