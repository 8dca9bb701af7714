"""How the tests change and read the store that the server shows."""

import calendar
import re
import sqlite3
import time
import unicodedata


class StoreControl:
    """The store itself, changed and read by another program: this one, with SQLite.

    The server must show these commits like its own.
    """

    def __init__(self, path):
        self._connection = sqlite3.connect(path, timeout=30, isolation_level=None)
        self._connection.row_factory = sqlite3.Row

    def commit(self, *operations):
        """Performs operations in one transaction, and returns the time of the commit.

        An operation is `["insert", None, values]`, `["update", id, values]` or
        `["delete", id]`. Values are by the names of the model's keys.
        """
        self._connection.execute("BEGIN IMMEDIATE")
        for kind, id, *values in operations:
            columns = self._columns(values[0] if values else {})
            if kind == "delete":
                self._connection.execute('DELETE FROM "Episode" WHERE "_moho_id" = ?', [id])
            elif kind == "update":
                assignments = ", ".join(f'"{name}" = ?' for name in columns)
                self._connection.execute(
                    f'UPDATE "Episode" SET {assignments} WHERE "_moho_id" = ?',
                    [*columns.values(), id])
            else:
                columns = {"title": "", "kind": "free", "podcast": "", "isPlayed": 0, **columns}
                names = ", ".join(f'"{name}"' for name in columns)
                marks = ", ".join("?" for _ in columns)
                self._connection.execute(
                    f'INSERT INTO "Episode" ({names}) VALUES ({marks})', [*columns.values()])
        self._connection.execute("COMMIT")
        return time.time()

    def list(self, sections="season", search="", order="newest", podcast=None, hides_played=False):
        """The sections of a list in order, with all rows: `id`, `title`, `summary`, `isPlayed`,
        `duration`.

        The order is that of `EpisodeList`.
        """
        groups = {"none": "", "season": '"season" DESC,', "podcast": '"podcast",'}[sections]
        orders = {"newest": '"publishedAt" DESC', "oldest": '"publishedAt" NULLS LAST',
                  "longest": '"duration" DESC'}
        result = []
        for row in self._connection.execute(
                f'SELECT * FROM "Episode" ORDER BY {groups} {orders[order]}, "id", "_moho_id"'):
            if podcast not in (None, row["podcast"]) or (hides_played and row["isPlayed"]):
                continue
            if not has_words(search, row["title"], row["summary"] or ""):
                continue
            key = {"all": True} if sections == "none" else row[sections]
            if not result or result[-1]["key"] != key:
                result.append({"key": key, "rows": []})
            result[-1]["rows"].append({
                "id": row["_moho_id"], "title": row["title"], "summary": row["summary"],
                "isPlayed": bool(row["isPlayed"]), "duration": row["duration"]})
        if not result and sections == "none":
            result.append({"key": {"all": True}, "rows": []})
        return result

    def clear(self):
        """Deletes all episodes, feeds and positions."""
        for name in ("Episode", "FeedSubscription", "PlayingPosition"):
            self._connection.execute(f'DELETE FROM "{name}"')

    def podcasts(self):
        """The numbers of episodes that are not played, by podcast."""
        return dict(self._connection.execute(
            'SELECT "podcast", SUM(NOT "isPlayed") FROM "Episode" GROUP BY "podcast"').fetchall())

    def _columns(self, values):
        columns = dict(values)
        if columns.get("publishedAt"):
            moment = calendar.timegm(time.strptime(columns["publishedAt"], "%Y-%m-%dT%H:%M:%SZ"))
            # Dates are stored as seconds since 2001.
            columns["publishedAt"] = float(moment - 978_307_200)
        if "isPlayed" in columns:
            columns["isPlayed"] = int(columns["isPlayed"])
        return columns


def has_words(search, *texts):
    """Whether texts have all words of a search; the last one can be the beginning of a word."""
    words = {word for text in texts for word in re.findall(r"\w+", folded(text))}
    *whole, last = re.findall(r"\w+", folded(search)) or [""]
    return words.issuperset(whole) and (not last or any(word.startswith(last) for word in words))


def folded(text):
    """A text without case and accents."""
    characters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in characters if not unicodedata.combining(c))
