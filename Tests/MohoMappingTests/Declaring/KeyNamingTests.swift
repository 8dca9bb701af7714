import Foundation
import MohoMapping
import Testing

@Suite struct KeyNamingTests {
  private struct Names: Sendable {
    var thumbnailURL: String
    var guid: String
  }

  private static func mapping(
    _ first: String, _ second: String, json: String? = nil, _ naming: KeyNaming = .snakeCase
  ) -> Mapping<Names> {
    Mapping(
      "Names", naming: naming, Names.init,
      .key(first, \.thumbnailURL), .key(second, \.guid, json: json))
  }

  @Test(arguments: [
    ("title", "title"), ("thumbnailURL", "thumbnail_url"), ("URLString", "url_string"),
    ("publishedAt", "published_at"), ("HTTPServer", "http_server"), ("aBC", "a_bc"),
    ("md5Sum", "md5_sum"), ("x", "x"), ("already_snake", "already_snake"), ("ID", "id"),
  ])
  func snakeCaseRecognizesAcronyms(name: String, expected: String) {
    #expect(Self.mapping(name, "other").keys[0].source?.pointer == "/\(expected)")
  }

  @Test func aDeclaredPathOverridesTheStrategy() {
    let mapping = Self.mapping("thumbnailURL", "theGuid", json: "GUID.value", .kebabCase)

    #expect(mapping.keys.map { $0.source?.pointer } == ["/thumbnail-url", "/GUID/value"])
    #expect(mapping.keys.map(\.name) == ["thumbnailURL", "theGuid"])
  }

  @Test func equalDocumentNamesAreAnIssue() {
    #expect(
      Self.mapping("theURL", "theUrl").issues.map(\.description).last
        == "`theURL` and `theUrl` are both mapped to `the_url`")
  }
}
