import Foundation
import MohoMapping
import MohoRows
import StoreTesting

/// Posts, whose values are nested and inlined models.
enum Posts {
  enum Kind: String, CaseIterable, FieldValue { case photo, video }

  struct Author: MappedModel, Hashable {
    var name: String
    var age: Int?

    static let mapping = Mapping(
      "Author", Author.init,
      .key("name", \.name, json: "names.full", alternatives: ["nick"]), .key("age", \.age))
  }

  struct Span: MappedModel, Hashable {
    var start: Int?
    var length: Int

    static let mapping = Mapping(
      "Span", Span.init, .key("start", \.start), .key("length", \.length, default: 5))
  }

  struct Card: MappedModel, Hashable {
    var title: String
    var url: URL?
    var size = 10
    var weight: Double?
    var price: Decimal?
    var views: UInt64?
    var isHidden: Bool?
    var updatedAt: Date?
    var day: Date?
    var seenAt: Date?
    var code: UUID?
    var bytes: Data?
    var kind: Kind?
    var rank: Int?
    var note: String?
    var author: Author?
    var span: Span?
    var tags: [String]?

    static let mapping = Mapping(
      "Card", Card.init,
      .key("title", \.title), .key("url", \.url, json: "link"),
      .key("size", \.size, default: 10), .key("weight", \.weight), .key("price", \.price),
      .key("views", \.views), .key("isHidden", \.isHidden), .key("updatedAt", \.updatedAt),
      .key("day", \.day, .iso8601Date), .key("seenAt", \.seenAt, .epochMilliseconds),
      .key("code", \.code), .key("bytes", \.bytes), .key("kind", \.kind),
      .key("rank", \.rank, json: "data[1]", .numberInString), .key("note", \.note, .storeOnly),
      .key("author", \.author), .inlined("span", \.span), .key("tags", \.tags))
  }

  struct Post: MappedModel, Hashable {
    var id: Int
    var card: Card?
    var cover: Author
    var frame: Span

    static let mapping = Mapping(
      "Post", Post.init,
      .key("id", \.id, .unique), .key("card", \.card), .key("cover", \.cover),
      .inlined("frame", \.frame))
  }

  /// A date with digits that a column of PostgreSQL does not have.
  static let date = Date(timeIntervalSinceReferenceDate: 700_000_000.123_456_789)
  static let price = Decimal(string: "12345678901234567890123456789.25") ?? 0
  static let code = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0xAB))

  /// A post with all values, a post with few values, a post without a card, and a post with
  /// some values.
  static let all = [
    Post(
      id: 1,
      card: Card(
        title: "Ä \"Café\"", url: URL(string: "https://example.com/a"), size: 3, weight: 0.5,
        price: price, views: .max, isHidden: true, updatedAt: date, day: date, seenAt: date,
        code: code, bytes: Data([0, 255]), kind: .video, rank: 7, note: "n",
        author: Author(name: "Ada", age: 36), span: Span(start: 2, length: 8), tags: ["a"]),
      cover: Author(name: "Ada", age: nil), frame: Span(start: nil, length: 1)),
    Post(
      id: 2, card: Card(title: "b"), cover: Author(name: "Ben", age: nil),
      frame: Span(start: nil, length: 9)),
    Post(
      id: 3, card: nil, cover: Author(name: "Cas", age: 1), frame: Span(start: 3, length: 3)),
    Post(
      id: 4,
      card: Card(
        title: "Zoo", weight: 2, price: 2, views: 1, isHidden: false,
        updatedAt: date + 3_600, author: Author(name: "Dee", age: nil),
        span: Span(start: nil, length: 5)),
      cover: Author(name: "Eve", age: nil), frame: Span(start: 0, length: 2)),
  ]
}

extension ModelStore {
  /// Creates a store with ``Posts/all``.
  static func posts() throws -> ModelStore {
    let store = try emptyStore(Posts.Post.self)
    try store.write { try $0.save(Posts.all) }
    return store
  }
}
