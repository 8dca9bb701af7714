"""The page as a test sees it: its rows, and how they compare with the store."""

# The rows in the document, without those that disappear.
STATE = """
const grid = document.getElementById("list");
const top = grid.getBoundingClientRect().top + grid.clientTop;
const rows = [...grid.querySelectorAll(".row[id]")].map((node) => ({
  id: Number(node.dataset.id), index: Number(node.ariaRowIndex),
  title: node.querySelector(".title").textContent,
  summary: node.querySelector(".summary").textContent,
  isPlayed: node.querySelector(".toggle").ariaPressed === "true",
  top: node.getBoundingClientRect().top - top,
  selected: node.ariaSelected === "true",
}));
const sections = [...grid.querySelectorAll(".section")].map((node) => ({
  index: Number(node.ariaRowIndex), name: node.querySelector(".name").textContent,
  count: node.querySelector(".number").textContent,
  unplayed: node.querySelector(".unplayed").textContent,
  top: node.firstElementChild.getBoundingClientRect().top - top,
}));
return {
  rows, sections, scrollTop: grid.scrollTop, height: grid.clientHeight,
  canvas: document.getElementById("canvas").offsetHeight,
  rowCount: Number(grid.ariaRowCount), version: grid.dataset.version,
  active: grid.getAttribute("aria-activedescendant"),
};
"""

# Ends all animations, so that the nodes are at their final positions.
FINISH = """
for (const animation of document.getAnimations()) animation.finish();
"""


def unplayed_text(rows):
    """The summary in the header of a section, without commas."""
    unplayed = [row for row in rows if not row["isPlayed"]]
    seconds = round(sum(row["duration"] or 0 for row in unplayed))
    minutes, digits = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    length = f"{hours}:{minutes:02}:{digits:02}" if hours else f"{minutes}:{digits:02}"
    parts = [f"{len(unplayed)} not played"] if 0 < len(unplayed) < len(rows) else []
    return " ".join(parts + ([length] if seconds > 0 else []))


class Page:
    def __init__(self, browser, server):
        self.browser = browser
        self.server = server

    def open(self, sections="season", search=""):
        self.browser.open(f"{self.server}/?sections={sections}&search={search}")
        self.sections, self.search = sections, search
        self.browser.wait(
            lambda: self.browser.run('return document.getElementById("list").dataset.version'),
            "the list is shown", 30)
        style = self.browser.run(
            'const style = getComputedStyle(document.getElementById("list"));'
            'return ["--row-height", "--header-height"].map('
            "(name) => parseFloat(style.getPropertyValue(name)));")
        self.row_height, self.header_height = style

    @property
    def state(self):
        return self.browser.run(STATE)

    def finish(self):
        self.browser.run(FINISH)

    def scroll(self, top):
        self.browser.run('document.getElementById("list").scrollTop = arguments[0]', top)

    def visible_offsets(self, state, total):
        """The offsets of the viewport's edges. Scrolling is scaled in a very long list."""
        top, height, canvas = state["scrollTop"], state["height"], state["canvas"]
        if canvas < total and canvas > height:
            top *= (total - height) / (canvas - height)
        return top, top + height

    def difference(self, listing, checks_positions=True):
        """What differs from the list of the store, or an empty string."""
        state = self.state
        is_sectioned = self.sections != "none"
        expected, offsets, headers, frames, offset, index = {}, [], {}, {}, 0, 1
        for section in listing:
            if is_sectioned:
                headers[index] = (len(section["rows"]), unplayed_text(section["rows"]))
                frames[index] = (
                    offset, offset + self.header_height + len(section["rows"]) * self.row_height)
                offset += self.header_height
                index += 1
            for row in section["rows"]:
                expected[index] = row
                offsets.append((index, offset))
                offset += self.row_height
                index += 1
        if state["rowCount"] != index - 1:
            return f"{state['rowCount']} rows in the grid, expected {index - 1}"

        ids = [row["id"] for row in state["rows"]]
        if len(set(ids)) != len(ids):
            return f"a row is shown twice: {sorted(ids)}"
        shown = {row["index"]: row for row in state["rows"]}
        if len(shown) != len(ids):
            return f"two rows have one index: {sorted(row['index'] for row in state['rows'])}"
        for index, row in shown.items():
            store = expected.get(index)
            if store is None:
                return f"row {row['id']} is at {index}, where the store has no row"
            texts = (store["title"] or store["summary"] or "Untitled")[:500]
            found = (row["id"], row["title"], row["isPlayed"])
            if found != (store["id"], texts, store["isPlayed"]):
                return f"index {index} shows {found}, the store has {store}"
        for section in state["sections"]:
            count, unplayed = headers.get(section["index"], (None, None))
            found = (section["count"].replace(",", ""), section["unplayed"].replace(",", ""))
            if found != (str(count), unplayed):
                return f"a header is wrong: {section}, expected {count} rows, {unplayed}"

        top, bottom = self.visible_offsets(state, offset)
        for section in state["sections"]:
            start, end = frames[section["index"]]
            # The header sticks to the top, until the next one pushes it away.
            position = max(start - top, min(0, end - self.header_height - top))
            if checks_positions and start < bottom and end > top:
                if abs(section["top"] - position) > 1:
                    return f"the header of {section} is not at {position}"
        for index, offset in offsets:
            if offset + self.row_height <= top or offset >= bottom:
                continue
            if index not in shown:
                return f"row {expected[index]} at {index} is in the viewport and not shown"
            if checks_positions and abs(shown[index]["top"] - (offset - top)) > 1:
                return f"index {index} is at {shown[index]['top']}, expected {offset - top}"
        return ""
