import Foundation
import MohoMapping
import Testing

private struct Author: MappedModel, Equatable {
  var name: String
  var email: String?
  var pupils: [Author] = []

  static let mapping = Mapping(
    "Author", Author.init, .key("name", \.name), .key("email", \.email),
    .key("pupils", \.pupils, default: []))

  /// The form of an author in articles.
  static let byline: Mapping<Author> = Mapping<Author>(
    "Author", { Author(name: $0, pupils: $1) }, .key("name", \.name, json: "n"),
    .key("pupils", \.pupils, json: "p", Transform.nested(by: byline).array, default: [])
  )
  .validating(\.name, "text that is not empty") { !$0.isEmpty }
}

/// A type without a mapping.
private struct Point: Equatable, Sendable {
  var x: Int
  var y: Int

  static let pair = Mapping("Point", Point.init, .key("x", \Point.x), .key("y", \Point.y))
}

private struct Article: MappedModel, Equatable {
  var author: Author
  var point: Point?

  static let mapping = Mapping(
    "Article", Article.init,
    .key("author", \.author, .nested(by: Author.byline)),
    .key("point", \.point, .nested(by: Point.pair)))
}

extension Article: Codable {}

@Suite struct NestedTransformTests {
  private func text(_ article: Article) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(article), as: UTF8.self)
  }

  private func read(_ json: String) throws -> Article {
    try JSONDecoder().decode(Article.self, from: Data(json.utf8))
  }

  @Test func aModelCanBeNestedByAnotherMapping() throws {
    let article = Article(
      author: Author(name: "Ada", pupils: [Author(name: "Ben")]), point: Point(x: 1, y: 2))
    let json = #"{"author":{"n":"Ada","p":[{"n":"Ben","p":[]}]},"point":{"x":1,"y":2}}"#

    #expect(Article.mapping.issues.isEmpty)
    #expect(try text(article) == json)
    #expect(try read(json) == article)
  }

  @Test func rulesAndErrorsAreThoseOfTheNestedMapping() throws {
    let error = #expect(throws: MappingError.self) {
      try read(#"{"author": {"n": "Ada", "p": [{"n": ""}]}, "point": {"x": 1}}"#)
    }

    #expect(
      error?.errors.map { "\($0.code) \($0.model ?? "").\($0.key ?? "") \($0.path?.pointer ?? "")" }
        == [
          "failed validation Author.name /author/p/0/n", "missing value Point.y /point/y",
        ])
  }

  @Test func aMappingWithAMistakeIsAnError() throws {
    struct Holder: MappedModel {
      var point: Point

      static let mapping = Mapping(
        "Holder", Holder.init, .key("point", \.point, .nested(by: Holder.broken)))
      static let broken = Mapping(
        "Point", Point.init, .key("x", \Point.x), .key("x", \Point.y))
    }

    let error = #expect(throws: MappingError.self) {
      try Holder.mapping.encode(Holder(point: Point(x: 1, y: 2)), to: FieldRecorder())
    }

    #expect(error?.code == .invalidDeclaration)
  }
}
