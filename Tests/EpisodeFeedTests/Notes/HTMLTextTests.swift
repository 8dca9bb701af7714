import Foundation
import Testing
import TextTables

@testable import EpisodeFeed

@Suite struct HTMLTextTests {
  @Test(arguments: [
    ("", ""), ("plain text", "plain text"), ("a  b\n\tc", "a b c"), ("<b>a</b><i> b</i>", "a b"),
    ("<p>One</p><p>Two</p>", "One\n\nTwo"), ("<p>One</p>\n\n<p>\n Two</p>\n", "One\n\nTwo"),
    ("a<br>b<br/>c<BR><br><br>d", "a\nb\nc\n\nd"), ("<div>a</div><div>b</div>", "a\nb"),
    ("<h2>T</h2>x<ul><li>a</li><li>b <b>c</b></ul>y", "T\n\nx\n\n• a\n• b c\n\ny"),
    ("<ol><li>a<li>b<ul><li>c</ul></ol>", "1. a\n2. b\n  • c"),
    ("<a href=\"https://a.example/?x=1&amp;y=2\">Page</a>.", "Page (https://a.example/?x=1&y=2)."),
    ("<a href='https://a.example'>https://a.example</a>", "https://a.example"),
    ("<a href=javascript:x()>Page</a> <a name=x>y</a>", "Page y"),
    (
      "<a href=https://a.example>one <a href=https://b.example>two",
      """
      one (https://a.example) two (https://b.example)
      """
    ),
    ("a<script>if (a < b) x()</script>b<style>p { }</style>c", "abc"),
    ("a<SCRIPT>x</scRipt >b", "ab"), ("a<script>never ends", "a"), ("a<!-- <b> -->b", "ab"),
    ("<!DOCTYPE html><?xml?>a<!-- never ends", "a"),
    ("<img src=x alt=\"A picture\">", "[A picture]"),
    ("<pre>a\n  b\n\n\n\nc</pre>d", "a\n  b\n\n\n\nc\n\nd"), ("a<hr>b", "a\n\n---\n\nb"),
    ("<table><tr><td>a<td>b<tr><td>c</table>", "a b\nc"), ("1 < 2 > 1 <3 <", "1 < 2 > 1 <3 <"),
    ("<p title=\"a > b\">x", "x"), ("<p title=\"never ends>x", ""), ("<b", ""), ("<b x=", ""),
    ("<a href=>x</a>", "x"),
    ("&amp;&lt;&gt;&quot;&apos;&#8217;&#x2019;&nbsp;&eacute;&mdash;", "&<>\"'’’ é—"),
    ("AT&T &unknown; &; &#; &#xZZ; & &amp", "AT&T &unknown; &; &#; &#xZZ; & &amp"),
    ("&#146;&#150;&#0;&#xD800;&#x110000;", "’–\u{FFFD}\u{FFFD}\u{FFFD}"), ("a&#10;&#9;b", "a b"),
    ("日本<br>🎙", "日本\n🎙"), ("&#27;[2J", "\u{1B}[2J"), ("&amp;lt;b&gt;", "&lt;b>"),
  ])
  func htmlBecomesTextWithLineBreaks(html: String, text: String) {
    #expect(HTMLText.plain(html) == text)
  }

  @Test func randomTextIsConvertedWithoutTags() {
    let pieces = [
      "<", ">", "</", "p>", "<p", " ", "\"", "'", "=", "href", "<a ", "&", "#", ";", "amp", "<!--",
      "-->", "<li>", "<ul>", "</ul>", "<pre>", "</pre>", "<script", "</script>", "é", "🎙", "\n",
      "\0", "<br>", "&#", "x41",
    ]
    var random = SystemRandomNumberGenerator()
    for _ in 0..<3_000 {
      let html = (0..<Int.random(in: 0...30, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()

      let text = HTMLText.plain(html)

      #expect(!text.contains("<script"), "\(html.debugDescription)")
      #expect(!text.hasPrefix("\n") && !text.hasSuffix("\n"), "\(html.debugDescription)")
    }
  }

  @Test(arguments: ["<", "<p ", "<!--", "<ul>", "&", "<a href=https://x>", "<script", "<pre>\n"])
  func longTextIsConvertedInLinearTime(piece: String) {
    let html = String(repeating: piece, count: 400_000 / piece.utf8.count)

    #expect(HTMLText.plain(html).utf8.count <= 10 * HTMLText.limit)
  }

  @Test func notesAreWrappedAndEscaped() {
    #expect(
      ShowNotes.lines(of: "a bc\n\n\td\r\n\u{1B}[2J", width: 6)
        == ["a bc", "", "    d", #"\u{1B}"#, "[2J"])
  }
}
