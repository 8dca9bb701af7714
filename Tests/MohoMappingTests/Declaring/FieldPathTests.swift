import MohoMapping
import Testing

@Suite struct FieldPathTests {
  @Test(
    arguments: [
      ("title", [.key("title")], "/title"),
      ("thumbnail.url", [.key("thumbnail"), .key("url")], "/thumbnail/url"),
      ("attachments[0].url", [.key("attachments"), .index(0), .key("url")], "/attachments/0/url"),
      ("a[1][2]", [.key("a"), .index(1), .index(2)], "/a/1/2"),
      ("optional\\.detail.name", [.key("optional.detail"), .key("name")], "/optional.detail/name"),
      ("a/b.c~d", [.key("a/b"), .key("c~d")], "/a~1b/c~0d"),
      ("odd\\[key", [.key("odd[key")], "/odd[key"),
      ("users[*].name", [.key("users"), .each, .key("name")], "/users/*/name"),
      ("a[*][2][*]", [.key("a"), .each, .index(2), .each], "/a/*/2/*"),
      ("*.a\\[*]", [.key("*"), .key("a[*]")], "/*/a[*]"),
      ("a.\u{301}b", [.key("a"), .key("\u{301}b")], "/a/\u{301}b"),
    ] as [(String, [FieldPath.Component], String)])
  func theStringFormIsParsedToComponents(
    text: String, components: [FieldPath.Component], pointer: String
  ) {
    let path = FieldPath(stringLiteral: text)

    #expect(path.components == components)
    #expect(path.pointer == pointer)
    #expect(path.description == text)
    #expect(FieldPath(stringLiteral: path.description) == path)
  }

  @Test(arguments: ["a[**]", "a[*", "a[*]b", "a[* ]", "a[-1]", "a[]", "a..b", "[*].a", "a[*]."])
  func aMalformedPathIsAnIssue(text: String) {
    struct Model: Sendable { var values: [Int] }
    let mapping = Mapping("Model", Model.init, .key("values", \.values, json: text))

    #expect(mapping.issues.map(\.description).contains { $0.contains("the path `\(text)` has a") })
  }

  @Test(
    arguments: [
      ("", []),
      ("/", [.key("")]),
      ("/a//b/", [.key("a"), .key(""), .key("b"), .key("")]),
      ("/items/0/title", [.key("items"), .index(0), .key("title")]),
      ("/12/012/-1/1e2/٣", [.index(12), .key("012"), .key("-1"), .key("1e2"), .key("٣")]),
      ("/99999999999999999999", [.key("99999999999999999999")]),
      ("/-/*", [.key("-"), .key("*")]),
      ("/a~1b/c~0d/~01/e%2F", [.key("a/b"), .key("c~d"), .key("~1"), .key("e%2F")]),
      ("/~0\u{301}/\u{301}", [.key("~\u{301}"), .key("\u{301}")]),
      ("/a.b[0]", [.key("a.b[0]")]),
    ] as [(String, [FieldPath.Component])])
  func aPointerIsParsedToAPath(pointer: String, components: [FieldPath.Component]) {
    #expect(FieldPath(pointer: pointer)?.components == components)
    #expect(FieldPath(pointer: pointer)?.pointer == pointer)
  }

  @Test(arguments: ["a", "a/b", " /a", "#/a", "/~", "/a~2b", "/a~/b", "~1"])
  func anInvalidPointerIsNotParsed(pointer: String) {
    #expect(FieldPath(pointer: pointer) == nil)
  }

  @Test func everyPathRoundTripsThroughItsForms() {
    let steps: [FieldPath.Component] = [
      .key("a"), .key("~"), .key("/~1"), .key("."), .key("\\"), .key("["), .key("é]"), .key("-1"),
      .key("\u{301}"), .index(0), .index(42),
    ]
    for first in steps {
      for second in steps {
        for third in steps {
          let path = FieldPath([first, second, third])
          #expect(FieldPath(pointer: path.pointer) == path)
          let inside = FieldPath([.key("x")]).appending(path)
          #expect(FieldPath(stringLiteral: inside.description) == inside)
        }
      }
    }
  }
}
