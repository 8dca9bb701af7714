"""A server of the page's protocol with a list in memory. For tests of the page.

  python3 server.py --port 8765 --rows 300 [--static DIR]

Control (not part of the protocol):
  POST /control/commit  {"ops": [["insert", id, {…}], ["update", id, {…}], ["delete", id]]}
  GET  /control/list?sections=…&search=…
  POST /control/drop    closes all event streams
  POST /control/forget  forgets all versions but the newest
"""
import argparse, bisect, calendar, gc, json, os, queue, random, threading, time, urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

STATIC = {"/": ("index.html", "text/html"), "/style.css": ("style.css", "text/css"),
          "/list.js": ("list.js", "text/javascript"), "/model.js": ("model.js", "text/javascript"),
          "/view.js": ("view.js", "text/javascript")}
CSP = ("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
       "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
       "require-trusted-types-for 'script'")
KEYS = ["id", "title", "summary", "kind", "publishedAt", "url", "duration", "season", "podcast",
        "isPlayed"]
EPOCH = f"{random.getrandbits(32):08x}"
HISTORY = 32
LIST_LIMIT = 2000
FIRST_ROWS = 60


def neg(text):
    return tuple(-ord(c) for c in text) if text else (1,)


class Listing:
    """One list: (sections, search). Keys are sorted tuples (section order…, date, id)."""

    def __init__(self, model, mode, search):
        self.model, self.mode, self.search = model, mode, search.lower()
        self.keys, self.key_of = [], {}
        for id, e in model.rows.items():
            if self.matches(e):
                self.key_of[id] = self.key(id, e)
        self.keys = sorted(self.key_of.values())
        self.counts = {}
        for k in self.keys:
            self.counts[k[0]] = self.counts.get(k[0], 0) + 1
        self.history = []  # (version, keys, sections)
        self.remember()

    def matches(self, e):
        return not self.search or self.search in (e["title"] + "\n" + (e["summary"] or "")).lower()

    def key(self, id, e):
        if self.mode == "season":
            s = (1, 0) if e["season"] is None else (0, -e["season"])
        elif self.mode == "podcast":
            s = (0, e["podcast"])
        else:
            s = (0, 0)
        return (s, e["stamp"], id)

    def section_key(self, s):
        if self.mode == "season":
            return None if s[0] else -s[1]
        return s[1] if self.mode == "podcast" else {"all": True}

    def sections(self):
        if self.mode == "none":
            return [((0, 0), len(self.keys))]
        return sorted(self.counts.items())

    def remember(self):
        self.history.append((self.model.version, list(self.keys), self.sections()))
        del self.history[:-HISTORY]

    def commit(self, touched):
        for id in touched:
            old, e = self.key_of.get(id), self.model.rows.get(id)
            new = self.key(id, e) if e and self.matches(e) else None
            if old == new:
                continue
            if old:
                del self.keys[bisect.bisect_left(self.keys, old)]
                self.counts[old[0]] -= 1
                if not self.counts[old[0]]:
                    del self.counts[old[0]]
                del self.key_of[id]
            if new:
                bisect.insort(self.keys, new)
                self.counts[new[0]] = self.counts.get(new[0], 0) + 1
                self.key_of[id] = new
        self.remember()

    def at(self, version):
        for state in reversed(self.history):
            if state[0] == version:
                return state
        return None

    def change(self, since):
        """The message from a version to the newest, or None if a fresh list is better."""
        old, new = self.at(since), self.history[-1]
        if old is None:
            return None
        if old is new:
            return ""
        journal = self.model.journal_since(since)
        keys = {}
        for touched in journal:
            for id, changed in touched.items():
                keys.setdefault(id, set()).update(changed)
        changes = change_set(old, new, keys, self.section_key)
        if len(changes.get("rows", [])) > LIST_LIMIT:
            return None
        shown = [r["id"] for r in changes.get("rows", [])
                 if "new" in r and ("old" not in r or "changed" in r)][:100]
        message = {"from": f"{EPOCH}-{since}", "version": f"{EPOCH}-{new[0]}",
                   "count": len(new[1]), "changes": changes,
                   "episodes": [{"id": id, "episode": self.model.public(id)} for id in shown]}
        if not shown:
            del message["episodes"]
        return message

    def message(self):
        version, keys, sections = self.history[-1]
        return {"version": f"{EPOCH}-{version}",
                "sections": [{"key": self.section_key(s), "count": n} for s, n in sections],
                "rows": [{"id": k[2], "episode": self.model.public(k[2])}
                         for k in keys[:FIRST_ROWS]]}


def change_set(old, new, changed, section_key):
    (_, old_keys, old_sections), (_, new_keys, new_sections) = old, new
    old_names, new_names = [s for s, _ in old_sections], [s for s, _ in new_sections]
    sections = [{"delete": i, "key": section_key(s)} for i, s in enumerate(old_names)
                if s not in set(new_names)]
    sections += [{"insert": i, "key": section_key(s)} for i, s in enumerate(new_names)
                 if s not in set(old_names)]
    old_starts, new_starts = starts(old_sections), starts(new_sections)

    touched = set(changed)
    old_of = positions_of(old_keys, touched)
    new_of = positions_of(new_keys, touched)
    records = []
    old_t, new_t = sorted(old_of.values()), sorted(new_of.values())
    candidates = []
    for id in touched:
        o, n = old_of.get(id), new_of.get(id)
        if o is None and n is None:
            continue
        record = {"id": id}
        if o is not None:
            s = old_keys[o][0]
            record["old"] = [old_names.index(s), o - old_starts[s]]
        if n is not None:
            s = new_keys[n][0]
            record["new"] = [new_names.index(s), n - new_starts[s]]
        if o is not None and n is not None:
            keys = [k for k in KEYS if k in changed[id]]
            if keys:
                record["changed"] = keys
            gap_o, gap_n = o - bisect.bisect_left(old_t, o), n - bisect.bisect_left(new_t, n)
            if old_keys[o][0] == new_keys[n][0] and gap_o == gap_n:
                candidates.append((o, n, id, record))
            record["move"] = True
        records.append(record)
    for o, n, id, record in longest(sorted(candidates, key=lambda c: c[1])):
        del record["move"]
    records = [r for r in records if not ("old" in r and "new" in r and "move" not in r
                                          and "changed" not in r)]
    records.sort(key=lambda r: (0, r["old"]) if "new" not in r else (1, r["new"]))
    result = {}
    if sections:
        result["sections"] = sections
    if records:
        result["rows"] = records
    return result


def positions_of(keys, ids):
    if len(ids) == 0:
        return {}
    return {k[2]: i for i, k in enumerate(keys) if k[2] in ids}


def starts(sections):
    total, result = 0, {}
    for s, n in sections:
        result[s] = total
        total += n
    return result


def longest(items):
    """The longest subsequence with ascending old positions."""
    tails, best, previous = [], [], []
    for i, item in enumerate(items):
        p = bisect.bisect_left(tails, item[0])
        tails[p:p + 1] = [item[0]]
        best[p:p + 1] = [i]
        previous.append(best[p - 1] if p else -1)
    result, i = [], best[-1] if best else -1
    while i >= 0:
        result.append(items[i])
        i = previous[i]
    return result


class Model:
    def __init__(self, count, seed):
        self.rows, self.version, self.journal = {}, 0, []
        self.lists, self.clients, self.undo_stack, self.redo_stack = {}, set(), [], []
        self.lock = threading.RLock()
        rng = random.Random(seed)
        for id in range(1, count + 1):
            self.rows[id] = make(rng, id, count)
        self.next = count + 1

    def listing(self, mode, search):
        with self.lock:
            key = (mode, search)
            if key not in self.lists:
                if len(self.lists) > 12:
                    self.lists.pop(next(iter(self.lists)))
                self.lists[key] = Listing(self, mode, search)
            return self.lists[key]

    def public(self, id):
        e = self.rows.get(id)
        if e is None:
            return None
        values = {k: e[k] for k in KEYS if e[k] is not None}
        if len(values["title"]) > 500:
            values.update(title=values["title"][:500], titleIsCut=True)
        if len(values.get("summary", "")) > 160:
            values["summary"] = values["summary"][:159] + "…"
        return values

    def journal_since(self, version):
        return [t for v, t in self.journal if v > version]

    def commit(self, ops, undoable=None):
        with self.lock:
            touched, inverse = {}, []
            for op in ops:
                kind, id = op[0], op[1] or self.next
                old = self.rows.get(id)
                inverse.insert(0, ["set", id, dict(old) if old else None])
                if kind == "delete" or (kind == "set" and op[2] is None):
                    self.rows.pop(id, None)
                    touched[id] = set(KEYS)
                else:
                    e = dict(old) if old and kind != "set" else {}
                    e = {**BLANK, **e, **op[2]}
                    e["stamp"] = -parse(e["publishedAt"]) if e["publishedAt"] else 1
                    self.rows[id] = e
                    keys = set(KEYS) if old is None else {k for k in KEYS if old.get(k) != e[k]}
                    touched.setdefault(id, set()).update(keys)
                self.next = max(self.next, id + 1)
            self.version += 1
            self.journal.append((self.version, touched))
            del self.journal[:-HISTORY * 2]
            for listing in self.lists.values():
                listing.commit(touched)
            if undoable:
                self.undo_stack.append((undoable, inverse))
                self.redo_stack.clear()
            for client in self.clients:
                client.put(time.time())
            return inverse


BLANK = dict(id="", title="", summary=None, kind="free", publishedAt=None, url=None, duration=None,
             season=None, podcast="", isPlayed=False)


def parse(text):
    return calendar.timegm(time.strptime(text, "%Y-%m-%dT%H:%M:%SZ"))


def stamp(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


WORDS = ("Isostasy Moho Mantle Basalt Tide Seismograph Glacier Rift Fault Core Plume Granite Zircon "
         "Trench Magma Crust Fossil Reef Dune Delta Karst Lava Quartz Slate Coral Ocean Ridge Ice"
         ).split()
PODCASTS = ["Deep Time", "Field Notes", "Stone & Water", "The Long Now of Rocks", "Überblick",
            "حكايات الأرض"]
SENTENCES = ["A needle, smoked paper, and the people who stayed up to change it.",
             "Why Stockholm rises, and the tide gauge that noticed.",
             "Living stone, still at it after three and a half billion years.",
             "What a wave that bends at forty kilometers says about the ground below.",
             "How a river finds the sea when the sea keeps moving."]


def make(rng, id, count):
    seconds = 1_800_000_000 - int((id * 86400 * 2 if count < 5000 else id * 1800)) \
        - rng.randrange(86400)
    title = " ".join(rng.sample(WORDS, 3)) if rng.random() > .02 else ""
    e = dict(id=str(count - id + 1), title=title, summary=rng.choice(SENTENCES),
             kind="paid" if rng.random() < .1 else "free", publishedAt=stamp(seconds),
             url=f"https://deeptime.example/episodes/{id}", duration=rng.randrange(600, 5400),
             season=None if rng.random() < .03 else 1 + (count - id) // max(24, count // 40),
             podcast=rng.choice(PODCASTS), isPlayed=rng.random() < .3)
    e["stamp"] = -seconds
    return e


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 65536

    def log_message(self, *args):
        pass

    def route(self):
        url = urllib.parse.urlsplit(self.path)
        self.query = dict(urllib.parse.parse_qsl(url.query))
        host = self.headers.get("Host", "").rsplit(":", 1)[0]
        if host not in ("127.0.0.1", "localhost", "[::1]"):
            return self.error(421, "wrongHost", "The server does not have this name.")
        if self.command != "GET" and not url.path.startswith("/control"):
            if self.headers.get("Origin") != "http://" + self.headers["Host"]:
                return self.error(403, "forbiddenOrigin", "Requests of other sites are refused.")
        self.body = b""
        if self.command != "GET":
            length = int(self.headers.get("Content-Length", 0))
            if length > 32 << 20:
                return self.error(413, "tooLarge", "The file is larger than 32 MB.")
            self.body = self.rfile.read(length)
        try:
            self.answer_request(url.path)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    do_GET = do_POST = do_PATCH = do_DELETE = route

    def answer_request(self, path):
        if self.command == "GET" and path in STATIC:
            name, kind = STATIC[path]
            with open(os.path.join(ARGS.static, name), "rb") as file:
                return self.answer(200, file.read(), kind + "; charset=utf-8")
        mode, search = self.query.get("sections", "season"), self.query.get("search", "")
        if path == "/events":
            return self.events(MODEL.listing(mode, search))
        if path == "/rows":
            return self.rows(MODEL.listing(mode, search))
        if path == "/control/list":
            listing = MODEL.listing(mode, search)
            with MODEL.lock:
                _, keys, sections = listing.history[-1]
                at, result = 0, []
                for s, n in sections:
                    result.append({"key": listing.section_key(s), "rows": [
                        {"id": k[2], "title": MODEL.rows[k[2]]["title"],
                         "summary": MODEL.rows[k[2]]["summary"],
                         "isPlayed": MODEL.rows[k[2]]["isPlayed"]} for k in keys[at:at + n]]})
                    at += n
            return self.json({"sections": result})
        if path == "/control/commit":
            MODEL.commit(json.loads(self.body)["ops"])
            return self.json({"time": time.time()})
        if path == "/control/drop":
            with MODEL.lock:
                for client in MODEL.clients:
                    client.put("drop")
            return self.json({})
        if path == "/control/forget":
            with MODEL.lock:
                for listing in MODEL.lists.values():
                    del listing.history[:-1]
            return self.json({})
        parts = path.strip("/").split("/")
        if parts[0] == "episodes" and len(parts) == 2:
            return self.episode(int(parts[1]))
        if path in ("/undo", "/redo"):
            return self.undo(path[1:])
        if path == "/import/file":
            try:
                items = json.loads(self.body)["items"]
            except Exception as error:
                return self.error(422, "invalidFeed", "The file is not a feed.", [str(error)])
            ops = [["insert", MODEL.next + i, {"title": e.get("title", ""), "podcast": "Imported",
                    "publishedAt": e.get("date_published"), "summary": e.get("summary")}]
                   for i, e in enumerate(items)]
            MODEL.commit(ops, "import")
            return self.json({"message": f"inserted {len(ops)}"})
        if path == "/import/url":
            return self.error(502, "fetchFailed", "The address cannot be reached.")
        self.error(404, "notFound", "There is no such resource.")

    def episode(self, id):
        with MODEL.lock:
            e = MODEL.rows.get(id)
            if e is None:
                return self.error(404, "notFound", "The episode was deleted.")
            name = f"“{e['title'] or e['id']}”"
            if self.command == "DELETE":
                MODEL.commit([["delete", id]], f"deleted {name}")
                return self.json({"message": f"Deleted {name}."})
            body = json.loads(self.body)
            was = body.pop("was", {})
            if any(e[k] != v for k, v in was.items()):
                return self.error(409, "conflict", "Another program has changed the title. "
                                  "Save again to overwrite it.")
            if "title" in body and not body["title"].strip():
                return self.error(422, "invalidTitle", "The title must not be empty.")
            MODEL.commit([["update", id, body]], f"changed {name}")
            return self.json({})

    def undo(self, kind):
        with MODEL.lock:
            source = MODEL.undo_stack if kind == "undo" else MODEL.redo_stack
            target = MODEL.redo_stack if kind == "undo" else MODEL.undo_stack
            if not source:
                return self.json({"message": f"Nothing to {kind}."})
            name, ops = source.pop()
            target.append((name, MODEL.commit(ops)))
            return self.json({"message": f"{'Undone' if kind == 'undo' else 'Redone'}: {name}."})

    def rows(self, listing):
        epoch, _, version = self.query.get("version", "").partition("-")
        with MODEL.lock:
            state = listing.at(int(version)) if epoch == EPOCH else None
            if state is None:
                return self.error(410, "gone", "The server no longer has this version of the list.")
            start, count = int(self.query["from"]), min(200, int(self.query["count"]))
            rows = [{"id": k[2], "episode": MODEL.public(k[2])}
                    for k in state[1][start:start + count]]
        time.sleep(ARGS.delay)
        self.json({"version": self.query["version"], "from": start, "rows": rows})

    def events(self, listing):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        epoch, _, last = self.headers.get("Last-Event-ID", "").partition("-")
        known = int(last) if epoch == EPOCH and last.isdigit() else None
        client = queue.Queue()
        with MODEL.lock:
            MODEL.clients.add(client)
        try:
            self.wfile.write(b"retry: 500\n\n")
            client.put(0)
            while True:
                try:
                    event = client.get(timeout=15)
                except queue.Empty:
                    self.wfile.write(b":\n\n")
                    self.wfile.flush()
                    continue
                if event == "drop":
                    return
                if ARGS.slow:
                    time.sleep(ARGS.slow)
                with MODEL.lock:
                    change = listing.change(known) if known is not None else None
                    kind, message = ("list", listing.message()) if change is None \
                        else ("change", change)
                if message == "":
                    self.wfile.flush()
                    continue
                known = int(message["version"].partition("-")[2])
                text = json.dumps(message, separators=(",", ":"), ensure_ascii=False)
                data = f"event: {kind}\nid: {message['version']}\ndata: {text}\n\n".encode()
                if kind == "change":
                    SIZES.append(len(data))
                self.wfile.write(data)
                self.wfile.flush()
        except (BrokenPipeError, ConnectionResetError):
            pass
        finally:
            with MODEL.lock:
                MODEL.clients.discard(client)

    def json(self, value, status=200):
        self.answer(status, json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode(),
                    "application/json")

    def error(self, status, code, message, details=()):
        self.json({"error": {"code": code, "message": message, "details": list(details)}}, status)

    def answer(self, status, data, kind):
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": len(data),
                            "Content-Security-Policy": CSP, "X-Content-Type-Options": "nosniff",
                            "Referrer-Policy": "no-referrer", "Cache-Control": "no-cache",
                            "Cross-Origin-Resource-Policy": "same-origin"}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()


SIZES = []
parser = argparse.ArgumentParser()
parser.add_argument("--port", type=int, default=8765)
parser.add_argument("--rows", type=int, default=300)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--delay", type=float, default=0)
parser.add_argument("--slow", type=float, default=0)
parser.add_argument("--static", default=os.path.join(
    os.path.dirname(os.path.abspath(__file__)),
    "../repo/Examples/EpisodeFeed/Resources/page"))
ARGS = parser.parse_args()
MODEL = Model(ARGS.rows, ARGS.seed)
MODEL.listing("season", "")
gc.freeze()
gc.disable()
server = ThreadingHTTPServer(("127.0.0.1", ARGS.port), Handler)
server.daemon_threads = True
print(f"http://127.0.0.1:{ARGS.port}/", flush=True)
server.serve_forever()
