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
    ] as [(String, [FieldPath.Component], String)])
  func theStringFormSpellsComponents(
    text: String, components: [FieldPath.Component], pointer: String
  ) {
    let path = FieldPath(stringLiteral: text)

    #expect(path.components == components)
    #expect(path.pointer == pointer)
    #expect(path.description == text)
    #expect(FieldPath(stringLiteral: path.description) == path)
  }
}
