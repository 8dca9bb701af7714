import Foundation
import Testing

@testable import EpisodeFeed

@Suite struct NotesNodeTests {
  @Test(arguments: [
    ("", ""), ("a", "a"), ("<p>a</p>\n<p>b", "p(a) p(b)"), ("<p>a<p>b", "p(a) p(b)"),
    ("<P>a <B>b</B> c</P>", "p(a  strong(b)  c)"), ("a<br>b<br/>c", "a br b br c"),
    ("<ul><li>a<li>b</ul>c", "ul(li(a) li(b)) c"),
    ("<ul>\n <li>a\n <ol><li>b</li></ol></li>\n</ul>", "ul(li(a\n  ol(li(b))))"),
    ("<h1>a</h1><h4>b</h4>", "h3(a) h3(b)"), ("<div><section>a</section>b</div>", "div(div(a) b)"),
    ("<p>a<div>b</div>c", "p(a) div(b) c"), ("<pre>a\n  b</pre>", "pre(a\n  b)"),
    ("<blockquote>a<hr>b</blockquote>", "blockquote(a hr b)"), ("<p></p><ul></ul><b></b>a", "a"),
    ("<a href='https://a.example/?x=1&amp;y=2'>b</a>", "a[https://a.example/?x=1&y=2](b)"),
    ("<a href=/b>c</a>", "a[https://base.example/b](c)"),
    ("<a href=mailto:a@example.com>b</a>", "a[mailto:a@example.com](b)"),
    ("<a href=' JavaScript:alert(1)'>a</a>", "a"), ("<a href='java\tscript:alert(1)'>a</a>", "a"),
    ("<a href='data:text/html,x'>a</a><a>b</a>", "a b"), ("<a href=https://>a</a>", "a"),
    (
      "<a href=https://a.example>b<a href=https://c.example>d",
      "a[https://a.example](b) a[https://c.example](d)"
    ),
    ("<img src=x onerror=y alt='a &gt; b'>", "[a > b]"), ("<img src=x>", ""),
    ("<script>a</script><style>b</style><iframe>c</iframe><svg><a>d</a></svg>e", "e"),
    ("<form><input value=a>b</form>", "div(b)"), ("<b><i>a</b>b</i>", "strong(em(a)) b"),
    ("<table><tr><td>a</td><td>b</td></table>", "div(div(a b))"), ("</p></div>a</b>", "a"),
    ("a &lt;script&gt; &amp;lt;", "a <script> &lt;"),
    ("<custom-element onclick=x>a</custom-element>", "a"), ("1 < 2", "1 < 2"),
  ])
  func htmlBecomesElementsWithoutWhatCouldBeDangerous(html: String, nodes: String) {
    let base = URL(string: "https://base.example/a")

    #expect(NotesNode.nodes(ofHTML: html, relativeTo: base).outline == nodes)
  }

  @Test(arguments: [
    ("", ""), ("a\nb\n\nc", "p(a br b) p(c)"), ("a\r\n\r\n\r\nb", "p(a) p(b)"), ("<b>", "p(<b>)"),
    (
      "See https://a.example/x?y=1. Or",
      "p(See  a[https://a.example/x?y=1](https://a.example/x?y=1) . Or)"
    ),
    ("(http://a.example)", "p(( a[http://a.example](http://a.example) ))"),
    ("https://", "p(https://)"), ("javascript:alert(1)", "p(javascript:alert(1))"),
  ])
  func plainTextBecomesParagraphsWithLinks(text: String, nodes: String) {
    #expect(NotesNode.nodes(ofText: text).outline == nodes)
  }

  @Test func theNotesOfAnEpisodeAreThoseThatHaveText() {
    func notes(_ html: String?, _ text: String?, _ summary: String?) -> String {
      NotesNode.notes(
        of: Episode(id: "1", summary: summary, contentText: text, contentHTML: html)
      ).outline
    }

    #expect(notes("<p>a", "b", "c") == "p(a)")
    #expect(notes("<script>a</script>", "b", "c") == "p(b)")
    #expect(notes(nil, " \n ", "c") == "p(c)")
    #expect(notes(nil, nil, "c") == "p(c)")
    #expect(notes(nil, nil, nil) == "")
  }

  @Test func elementsAreNestedUpToALimit() {
    let html =
      String(repeating: "<div>", count: 10_000) + "a" + String(repeating: "</div>", count: 10_000)
    var (nodes, depth) = (NotesNode.nodes(ofHTML: html), 0)
    while let node = nodes.first, node.element != nil {
      (nodes, depth) = (node.children ?? [], depth + 1)
    }

    #expect(depth == 32)
    #expect(nodes.outline == "a")
  }

  // Quadratic time would take much longer.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      "<", "<p ", "<!--", "<ul><li>", "&", "<a href=https://x.example>", "<pre>\n", "<b>a", "a\n",
      "a\n\n", "https://x.example ",
    ])
  func longTextHasALimitedNumberOfNodes(piece: String) {
    let text = String(repeating: piece, count: 400_000 / piece.utf8.count)

    for nodes in [NotesNode.nodes(ofHTML: text), NotesNode.nodes(ofText: text)] {
      #expect(nodes.count <= 10_100)
    }
  }

  @Test func randomTextHasOnlyKnownAddresses() {
    let pieces = [
      "<", ">", "</", "p>", "<p", " ", "\"", "'", "=", "href", "<a ", "&", "#", ";", "javascript:",
      "<li>", "<ul>", "</ul>", "<a href=", "https://a.example", "</a>", "<b>", "</b>", "&#106;",
      "é",
    ]
    var random = SystemRandomNumberGenerator()
    for _ in 0..<3_000 {
      let html = (0..<Int.random(in: 0...30, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      for url in NotesNode.nodes(ofHTML: html).addresses {
        #expect(["https", "mailto"].contains(url.scheme), "\(html.debugDescription)")
      }
    }
  }
}

extension [NotesNode] {
  /// The nodes in a short form, such as `p(a strong(b))`.
  fileprivate var outline: String { map(\.outline).joined(separator: " ") }

  fileprivate var addresses: [URL] {
    flatMap { node in (node.address.map { [$0] } ?? []) + (node.children ?? []).addresses }
  }
}

extension NotesNode {
  fileprivate var outline: String {
    guard let element else { return text ?? "" }
    let address = address.map { "[\($0.absoluteString)]" } ?? ""
    return element.rawValue + address + (children.map { "(\($0.outline))" } ?? "")
  }
}
