#!/usr/bin/env python3
"""Tests of the show notes, the player, refreshing and importing on the live page.

  python3 -m unittest -v test_listening

`test_page.py` describes the environment.
"""

import json
import random
import time
import unittest
import urllib.request

from browser import TIMEOUT
from feeds import FeedServer, feed, item
from test_page import SEED, STEPS, PageTestCase, RandomCommits

CHAPTERS = """<psc:chapters version="1.2">
  <psc:chapter start="00:00:00" title="Beginning"/>
  <psc:chapter start="nonsense" title="Never"/>
  <psc:chapter start="00:00:20.500" title="Middle &amp; more" href="https://example.com/m"/>
</psc:chapters>"""


class ListeningTestCase(PageTestCase):
    count = 0
    size = (1440, 900)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.feeds = FeedServer()
        cls.addClassCleanup(cls.feeds.close)

    def ask(self, path):
        """An answer of the server under test."""
        with urllib.request.urlopen(f"{self.server.url}/{path}", timeout=TIMEOUT) as answer:
            return json.load(answer)

    def import_feed(self, path="/feed.xml"):
        """Imports a feed with the dialog, as a user does."""
        browser = self.browser
        browser.run('document.getElementById("import").click()')
        browser.run('document.getElementById("import-url").value = ""')
        browser.write("#import-url", self.feeds.url + path)
        browser.click("#import-dialog .buttons .primary")

    def text(self, selector):
        return self.browser.run(
            "return document.querySelector(arguments[0])?.innerText ?? null", selector)

    def wait_for_text(self, selector, text):
        try:
            self.browser.wait(lambda: text in (self.text(selector) or ""), text)
        except AssertionError:
            self.fail(f"{selector} is {self.text(selector)!r}, not {text!r}")

    def wait_for_toast(self, text):
        self.wait_for_text("#toasts", text)
        self.browser.run('document.getElementById("toasts").replaceChildren()')

    def row_id(self, title):
        """Waits for a row, and returns its ID."""
        def find():
            rows = self.page.state["rows"]
            return next((row["id"] for row in rows if row["title"] == title), None)
        return self.browser.wait(find, f"the row {title}")

    def select(self, title):
        id = self.row_id(title)
        self.browser.run(
            'document.querySelector(`.row[data-id="${arguments[0]}"] .text`).click()', id)
        return id


class NotesAndPlayerTests(ListeningTestCase):
    def setUp(self):
        self.feeds.set("/chapters.json", {"version": "1.2.0", "chapters": [
            {"startTime": 30, "title": "Late"}, {"startTime": 0, "title": "Early"},
            {"title": "Nowhere"}]})
        self.feeds.set("/feed.xml", feed(
            "Listening", item(1, extra=CHAPTERS),
            item(2, extra=f'<podcast:chapters url="{self.feeds.url}/chapters.json"/>'),
            item(3, seconds=2, notes="")))
        self.page.open("none")
        self.browser.run("localStorage.clear()")
        self.page.open("none")
        self.import_feed()
        self.browser.wait(lambda: len(self.page.state["rows"]) == 3, "the feed is imported")
        self.browser.run('document.getElementById("toasts").replaceChildren()')
        self.browser.run('document.getElementById("list").focus()')

    def tearDown(self):
        self.browser.run(
            'document.querySelector("#player .close").click(); localStorage.clear();')
        self.control.clear()
        super().tearDown()

    def open_details(self, title):
        id = self.select(title)
        if not self.browser.run('return document.getElementById("details").checkVisibility()'):
            self.browser.type("n")
        self.browser.wait(
            lambda: self.browser.run('return document.getElementById("details").dataset.id')
            == str(id), "the details are shown")
        return id

    def audio(self, expression):
        return self.browser.run(
            f'const audio = document.querySelector("#player audio"); return {expression};')

    def test_notes_are_shown_without_what_could_be_dangerous(self):
        self.open_details("Episode 1")
        self.wait_for_text("#details .notes", "What we heard")

        notes = self.text("#details .notes")
        self.assertIn("Two & three <script>", notes)
        self.assertIn("[A picture]", notes)
        self.assertIn("second", notes)
        self.assertNotIn("hacked", notes)
        names = self.browser.run(
            'return [...new Set([...document.querySelectorAll("#details .notes *")]'
            ".map((node) => node.localName))].sort()")
        self.assertEqual(names, ["a", "h3", "li", "p", "strong", "ul"])
        attributes = self.browser.run(
            'return [...new Set([...document.querySelectorAll("#details .notes *")]'
            ".flatMap((node) => node.getAttributeNames()))].sort()")
        self.assertEqual(attributes, ["dir", "href", "rel", "target"])
        links = self.browser.run(
            'return [...document.querySelectorAll("#details .notes a")].map((node) => node.href)')
        self.assertEqual(links, ["https://example.com/first"])
        self.assertIsNone(self.browser.run("return window.hacked"))
        self.shot("notes")

    def test_details_follow_the_selection_and_changes(self):
        id = self.open_details("Episode 1")
        self.control.commit(["update", id, {"title": "Another title"}])
        self.wait_for_text("#details .name", "Another title")

        self.browser.type("ArrowUp")
        self.wait_for_text("#details .name", "Episode 2")
        self.assertEqual(self.text("#details .facts"), "Listening · Jan 2, 2027 · 1:00")

        self.browser.type("n")
        self.assertFalse(
            self.browser.run('return document.getElementById("details").checkVisibility()'))
        self.browser.type("Space", "n")
        self.wait_for_text("#details .buttons", "Played")

    def test_pane_has_its_place_after_the_width_changes(self):
        def is_shown():
            return self.browser.run('return document.getElementById("details").checkVisibility()')

        self.open_details("Episode 1")
        self.browser.set_size(800, 900)
        self.browser.wait(lambda: not is_shown(), "a narrow page shows the list")
        self.browser.set_size(*self.size)
        self.browser.wait(is_shown, "a wide page shows the notes again")

    def test_position_is_not_that_of_another_episode_in_the_row(self):
        id = self.select("Episode 1")
        self.browser.type("p")
        self.browser.wait(lambda: self.audio("audio.currentTime > 1.2"), "it plays")
        self.control.commit(
            ["delete", id], ["insert", None, {"_moho_id": id, "id": "9", "title": "Other"}])
        self.row_id("Other")
        self.browser.type("p")
        time.sleep(.5)
        self.assertIsNone(self.ask(f"episodes/{id}").get("position"))

    def test_chapters_of_both_forms_are_shown_in_order(self):
        self.open_details("Episode 1")
        self.wait_for_text("#details .chapters", "Middle & more")
        self.assertEqual(
            self.text("#details .chapters").split("\n"),
            ["Chapters", "0:00", "Beginning", "0:21", "Middle & more"])

        self.open_details("Episode 2")
        self.wait_for_text("#details .chapters", "Late")
        self.assertEqual(
            self.text("#details .chapters").split("\n"),
            ["Chapters", "0:00", "Early", "0:30", "Late"])

    def test_recording_plays_and_continues_where_the_user_has_stopped(self):
        id = self.open_details("Episode 1")
        self.browser.type("p")
        self.browser.wait(lambda: self.audio("!audio.paused && audio.currentTime > .2"), "it plays")
        self.assertEqual(
            self.browser.run("return navigator.mediaSession.metadata.title"), "Episode 1")
        self.shot("player")

        self.wait_for_text("#details .chapters", "Middle")
        self.browser.click("#details .chapters li:nth-child(2) button")
        self.browser.wait(lambda: self.audio("audio.currentTime") >= 20.5, "the chapter plays")
        self.wait_for_text("#player .what", "Middle & more")
        self.browser.type("ArrowRight")
        self.browser.wait(lambda: self.audio("audio.currentTime") >= 50, "it has moved forward")
        self.browser.type("ArrowLeft")
        self.browser.wait(lambda: self.audio("audio.currentTime") < 45, "it has moved back")
        self.browser.type("]")
        self.assertEqual(self.audio("audio.playbackRate"), 1.25)
        self.browser.type("p")
        self.browser.wait(lambda: self.audio("audio.paused"), "it is paused")
        position = self.browser.wait(
            lambda: self.ask(f"episodes/{id}").get("position"), "the position is saved")
        self.assertLess(abs(position - self.audio("audio.currentTime")), 2)

        self.page.open("none")
        self.open_details("Episode 1")
        self.wait_for_text("#details .buttons", "Continue at 0:3")
        self.browser.click("#details .play")
        self.browser.wait(
            lambda: self.audio("!audio.paused && audio.currentTime") >= position, "it continues")
        self.assertEqual(self.audio("audio.playbackRate"), 1.25)

    def test_episode_that_has_ended_is_played_and_begins_again(self):
        id = self.select("Episode 3")
        self.browser.type("p")
        self.browser.wait(lambda: self.audio("audio.currentTime > 1.2"), "it plays")
        self.browser.type("p")
        self.browser.wait(
            lambda: self.ask(f"episodes/{id}").get("position") == 1, "the position is saved")
        self.browser.type("p")
        self.browser.wait(lambda: self.ask(f"episodes/{id}")["isPlayed"], "it is played")
        self.browser.wait(
            lambda: self.ask(f"episodes/{id}").get("position") is None, "the position is forgotten")
        self.assertNotIn("changed", self.text("#changes"))

    def test_playing_is_no_change_of_the_list(self):
        self.select("Episode 1")
        version = self.page.state["version"]
        self.browser.type("p")
        self.browser.wait(lambda: self.audio("audio.currentTime > 1.2"), "it plays")
        self.browser.type("p")
        time.sleep(.3)
        self.assertEqual(self.page.state["version"], version)

    def test_episode_without_a_recording_has_no_play_command(self):
        self.control.commit(["insert", None, {"id": "9", "title": "Silent", "podcast": "P"}])
        self.select("Silent")
        self.browser.type("p")
        self.wait_for_toast("The episode has no recording.")
        self.browser.type("m")
        self.assertNotIn("Play", self.text("#menu").split("\n"))
        self.browser.type("Escape")


class RefreshTests(ListeningTestCase):
    def setUp(self):
        self.page.open("none")

    def tearDown(self):
        self.control.clear()
        super().tearDown()

    def import_and_wait(self, path, title, *items):
        self.feeds.set(path, feed(title, *items))
        self.import_feed(path)
        self.wait_for_toast(f"{len(items)} new episode")

    def test_refresh_imports_what_is_new_and_reports_failures(self):
        self.import_and_wait("/a.xml", "Alpha", item(1))
        self.import_and_wait("/b.xml", "Beta", item(1), item(2))
        self.feeds.set("/a.xml", feed("Alpha", item(1), item(3)))
        del self.feeds.documents["/b.xml"]

        self.browser.run('document.getElementById("list").focus()')
        self.browser.type("R")
        self.wait_for_text("#toasts", "Beta: ")
        self.wait_for_toast("1 new episode. 1 feed failed.")
        self.row_id("Episode 3")
        self.browser.wait(
            lambda: self.browser.run(
                'return document.querySelectorAll("#podcasts .warning:not([hidden])").length') == 1,
            "the podcast has a warning")
        self.shot("sidebar")

    def test_chosen_podcast_is_refreshed_alone(self):
        self.import_and_wait("/a.xml", "Alpha", item(1))
        self.import_and_wait("/b.xml", "Beta", item(1))
        self.feeds.set("/a.xml", feed("Alpha", item(1), item(2)))
        self.feeds.set("/b.xml", feed("Beta", item(1), item(3)))
        self.browser.run(
            '[...document.querySelectorAll("#podcasts button")]'
            '.find((node) => node.querySelector(".name").textContent === "Beta").click()')
        self.browser.wait(lambda: "Refresh Beta" in self.browser.run(
            'return document.getElementById("refresh").title'), "the button names the podcast")
        self.browser.click("#refresh")
        self.wait_for_toast("1 new episode.")
        self.row_id("Episode 3")
        self.browser.run('document.querySelector("#podcasts button").click()')
        self.browser.wait(lambda: len(self.page.state["rows"]) == 3, "Alpha was not refreshed")

    def test_import_shows_its_progress_and_can_be_canceled(self):
        self.feeds.set("/slow.xml", feed("Slow", item(1)))
        self.feeds.delays["/slow.xml"] = 20
        self.import_feed("/slow.xml")
        self.wait_for_text("#activities", "Importing 127.0.0.1")
        self.shot("activity")
        self.browser.click("#activities button")
        self.wait_for_toast("The import was canceled.")
        self.browser.wait(
            lambda: not self.browser.run(
                'return document.getElementById("activities").checkVisibility()'),
            "no activity is shown")
        self.assertEqual(self.control.list("none")[0]["rows"], [])

    def test_every_tab_shows_and_can_cancel_an_activity(self):
        self.feeds.set("/slow.xml", feed("Slow", item(1)))
        self.feeds.delays["/slow.xml"] = 20
        first = self.browser.tabs[0]
        second = self.browser.new_tab()
        self.page.open("none")
        self.browser.switch_to(first)
        self.import_feed("/slow.xml")
        self.browser.switch_to(second)
        self.wait_for_text("#activities", "Importing 127.0.0.1")
        self.browser.click("#activities button")
        self.browser.close_tab(second)
        self.wait_for_toast("The import was canceled.")


class CommitTests(RandomCommits, ListeningTestCase):
    count = 300

    def prepare(self):
        """Shows the notes of the first episode, and plays it."""
        if self.browser.run('return document.getElementById("player").checkVisibility()'):
            self.browser.click("#player .close")
        row = self.control.list(self.page.sections)[0]["rows"][0]
        self.control.commit(["update", row["id"], {
            "title": "Played", "audioURL": f"{self.feeds.url}/recording-60.wav"}])
        id = self.select("Played")
        if not self.browser.run('return document.getElementById("details").checkVisibility()'):
            self.browser.type("n")
        self.wait_for_text("#details .name", "Played")
        self.browser.type("p")
        self.browser.wait(
            lambda: self.browser.run(
                'return document.querySelector("#player audio").currentTime > .1'), "it plays")
        self.played = id

    def test_random_commits_are_shown_exactly_beside_the_notes_and_the_player(self):
        for seed, sections in enumerate(["season", "none"], SEED):
            self.run_commits(random.Random(seed), seed, sections, STEPS // 4 + 1)
            rows = {row["id"]: row for section in self.control.list(sections)
                    for row in section["rows"]}

            def is_current():
                id = self.browser.run('return document.getElementById("details").dataset.id')
                row = rows.get(int(id)) if id else None
                return id == "" or row and self.text("#details .name") == (
                    row["title"] or "Untitled")

            self.browser.wait(is_current, "the pane shows the row of the store")
            self.assertIsNone(
                self.browser.run('return document.querySelector("#player audio").error'))


class PhoneTests(ListeningTestCase):
    size = (390, 780)

    def test_notes_are_a_drawer_and_the_player_fits(self):
        self.feeds.set("/feed.xml", feed("Listening", item(1, extra=CHAPTERS)))
        self.page.open("none")
        self.import_feed()
        self.select("Episode 1")
        self.browser.click(".row .more")
        self.browser.click('#menu [data-command="details"]')
        self.wait_for_text("#details .notes", "What we heard")
        self.shot("notes-on-a-phone")
        self.browser.click("#details .play")
        self.browser.click("#details .close")
        self.browser.wait(
            lambda: not self.browser.run(
                'return document.getElementById("details").checkVisibility()'), "it is closed")
        self.browser.wait(
            lambda: self.browser.run(
                'return document.querySelector("#player audio").currentTime > .1'), "it plays")
        self.shot("player-on-a-phone")
        overflow = self.browser.run(
            "return document.documentElement.scrollWidth > document.documentElement.clientWidth"
            ' || [...document.querySelectorAll("#player *")].some((node) =>'
            " node.getBoundingClientRect().right > innerWidth + 1)")
        self.assertFalse(overflow)


if __name__ == "__main__":
    unittest.main()
