import EpisodeFeed
import Foundation
import Testing

/// The values of one episode as lines.
@Suite struct EpisodeTextTests {
  private func notes(
    text: String? = nil, html: String? = nil, width: Int? = nil
  ) -> [String] {
    let episode = Episode(
      id: "1", title: "Loess", summary: "Dust", contentText: text, contentHTML: html)
    let lines = EpisodeText.details(episode, width: width)
    #expect(
      lines.prefix(4) == ["id       1", "title    Loess", "kind     free", "summary  Dust"])
    #expect(lines.count == 4 || lines[4].isEmpty)
    return Array(lines.dropFirst(5))
  }

  @Test func notesInHTMLAreShownAsText() {
    let html = "<p>A &amp; <b>B</b></p><ul><li>one<li><a href='https://a.example/'>two</a></ul>"

    #expect(notes(html: html) == ["A & B", "", "• one", "• two (https://a.example/)"])
    #expect(notes(text: "plain <b>", html: html) == ["plain <b>"])
  }

  @Test(arguments: [nil, "", "<p> </p>", "<script>x</script>"])
  func notesWithoutTextAreOmitted(html: String?) {
    #expect(notes(html: html) == [])
  }

  @Test func notesAreWrappedAtTheWidth() {
    let text = "one two three\nfour"

    #expect(notes(text: text) == ["one two three", "four"])
    #expect(notes(text: text, width: 8) == ["one two", "three", "four"])
  }

  @Test func unsafeCharactersInNotesAreEscaped() {
    #expect(notes(text: "a\u{1B}[2J\tb\r\nc\u{202E}") == [#"a\u{1B}[2J    b"#, #"c\u{202E}"#])
    #expect(notes(html: "a&#27;[2J&#x202E;<br>b") == [#"a\u{1B}[2J\u{202E}"#, "b"])
  }

  @Test func longNotesAreComplete() {
    let line = String(repeating: "x", count: 99)
    let lines = Array(repeating: line, count: 3_000)

    #expect(notes(text: lines.joined(separator: "\n")).count == 3_000)
    #expect(notes(html: lines.joined(separator: "<br>")).count == 3_000)
  }
}
