import DocumentationTesting
import Foundation
import GRDB
import Moho
import Testing

/// The table of the article "Converting values".
@Suite struct ConvertingValuesTests {
  private let article = Article("Sources/MohoRows/MohoRows.docc/ConvertingValues.md")

  /// A model with one key.
  struct Holder<Value: FieldValue & Equatable>: MappedModel {
    var value: Value

    static var mapping: Mapping<Holder> {
      Mapping("Holder", Holder.init, .key("value", \.value))
    }
  }

  struct Tag: MappedModel, Equatable {
    var name: String

    static let mapping = Mapping("Tag", Tag.init, .key("name", \.name, .unique))
  }

  struct Episode: MappedModel, Equatable {
    var id: Int
    var tag: Tag?
    var opening: ModelReference<Tag>?
    var kind: Color

    static let mapping = Mapping(
      "Episode", Episode.init,
      .key("id", \.id, .unique), .toOne("tag", \.tag), .toOne("opening", \.opening),
      .key("kind", \.kind, .codable))
  }

  struct Color: Codable, Equatable { var red: Int, green: Int }

  enum Kind: String, FieldValue { case free, paid }
  enum Level: Int, FieldValue { case low = 1, high }

  private static let moment = Date(timeIntervalSinceReferenceDate: 785_404_800.5)

  /// The table row of a value, with its JSON text and the contents of its column.
  /// Expects that reading gives an equal value.
  private func row<Value: FieldValue & Equatable>(
    _ type: String, _ swift: String, _ value: Value
  ) throws -> String {
    let model = Holder(value: value)
    let adapter = JSONAdapter<Holder<Value>>(nullPolicy: .null)
    let json = try adapter.data(from: model)
    #expect(try adapter.model(from: json).value == value)

    let store = try ModelStore(inMemory: Holder<Value>.self)
    try store.write { try $0.save(model) }
    #expect(try store.fetchFirst(ModelRequest<Holder<Value>>())?.value == value)

    let document = try JSONDocument(parsing: json).value(at: "value") ?? .null
    let text = String(decoding: try document.data(), as: UTF8.self)
    return "| \(type) | `\(swift)` | `\(text)` | \(try column("value", of: "Holder", in: store)) |"
  }

  /// The type and the value of a column in SQLite.
  private func column(_ name: String, of table: String, in store: ModelStore) throws -> String {
    let sql = "SELECT typeof(\(name)), quote(\(name)) FROM \(table)"
    let row = try #require(try store.writer.read { try Row.fetchOne($0, sql: sql) })
    let type: String = row[0]
    let value: String = row[1]
    return type == "null" ? "`NULL`" : "\(type.uppercased()) `\(value)`"
  }

  @Test func everyRowOfTheTableMatchesTheStoredValue() throws {
    let moment = Self.moment
    let rows = [
      try row("`Int`, `Int8` … `Int64`", "42", 42),
      try row("`UInt`, `UInt8` … `UInt64`", "42", UInt(42)),
      try row("`Double`", "0.1", 0.1),
      try row("`Float`", "0.5", Float(0.5)),
      try row("`Decimal`", "19.90", Decimal(string: "19.90") ?? 0),
      try row("`Bool`", "true", true),
      try row("`String`", "\"Gneiß\"", "Gneiß"),
      try row("`Date`", "2025-11-21 08:00:00.5", moment),
      try row("`Data`", "Data([1, 2])", Data([1, 2])),
      try row("`URL`", "https://example.org/a", URL(string: "https://example.org/a")),
      try row("`UUID`", "D278C472-…", UUID(uuidString: "D278C472-6DC3-4EE1-A947-861E6AF311C3")),
      try row("enum of `String`", ".free", Kind.free),
      try row("enum of `Int`", ".high", Level.high),
      try row("array, set", "[2, 1]", [2, 1]),
      try row("dictionary", "[\"a\": 1]", ["a": 1]),
      try row("model by `.key`", "Tag(name: \"rock\")", Tag(name: "rock")),
      try row("`JSONValue`", "[\"a\": [1]]", JSONValue.object([.init("a", [1])])),
      try row("`nil`", "nil", Int?.none),
    ]
    let shown = try shownRows
    let expected = try rows + relationRows()
    #expect(shown == expected)
  }

  /// The rows of the table without its header.
  private var shownRows: [String] {
    get throws {
      let rows = try article.tableRows.filter { $0.count { $0 == "|" } == 5 }
      return Array(rows.dropFirst(2))
    }
  }

  /// The rows for values whose columns do not contain them.
  private func relationRows() throws -> [String] {
    let episode = Episode(
      id: 7, tag: Tag(name: "rock"), opening: try ModelReference(key: "rock"),
      kind: Color(red: 200, green: 30))
    let json = String(decoding: try JSONAdapter<Episode>().data(from: episode), as: UTF8.self)
    #expect(
      json
        == #"{"id":7,"tag":{"name":"rock"},"opening":"rock","kind":{"green":30,"red":200}}"#)

    let store = try ModelStore(inMemory: Episode.self)
    try store.write { try $0.save(episode) }
    #expect(try store.fetchFirst(ModelRequest<Episode>()) == episode)
    return try [
      ("model by `.toOne`", "Tag(name: \"rock\")", #"{"name":"rock"}"#, "tag"),
      ("`ModelReference` by `.toOne`", "ModelReference(key: \"rock\")", "\"rock\"", "opening"),
      ("`.codable`", "Color(red: 200, green: 30)", #"{"green":30,"red":200}"#, "kind"),
    ].map { type, swift, json, name in
      let column = try column(name, of: "Episode", in: store)
      return "| \(type) | `\(swift)` | `\(json)` | \(column) |"
    }
  }

  @Test func columnsCanBeUsedInSQL() throws {
    struct Sold: MappedModel {
      var title: String
      var publishedAt: Date
      var tags: [String]
      var price: Decimal

      static let mapping = Mapping(
        "Episode", Sold.init,
        .key("title", \.title), .key("publishedAt", \.publishedAt), .key("tags", \.tags),
        .key("price", \.price))
    }
    let transcript = Transcript()
    let sql = """
      SELECT title, datetime(publishedAt + 978307200, 'unixepoch') AS day
      FROM Episode, json_each(tags)
      WHERE value = 'rock'
      ORDER BY price COLLATE moho_decimal
      """
    transcript.append(sql)
    try article.expectOutput(
      of: transcript,
      below: "seconds since 2001-01-01. Lists and objects are JSON, which SQLite can read:")
    let store = try ModelStore(inMemory: Sold.self)
    try store.write { writer in
      try writer.save([
        Sold(title: "Tuff", publishedAt: Self.moment, tags: ["rock", "ash"], price: 10),
        Sold(title: "Slate", publishedAt: Self.moment, tags: ["rock"], price: 9.5),
        Sold(title: "Rain", publishedAt: Self.moment, tags: ["weather"], price: 1),
      ])
    }

    let rows = try store.writer.read { try Row.fetchAll($0, sql: sql) }

    #expect(rows.map { $0["title"] } == ["Slate", "Tuff"])
    #expect(rows.map { $0["day"] } == ["2025-11-21 08:00:00", "2025-11-21 08:00:00"])
  }

  @Test func unrepresentableValuesAreErrors() throws {
    func refusals<Value: FieldValue & Equatable>(_ value: Value) throws -> [Bool] {
      let model = Holder(value: value)
      let store = try ModelStore(inMemory: Holder<Value>.self)
      return [
        (try? JSONAdapter<Holder<Value>>().data(from: model)) == nil,
        (try? store.write { try $0.save(model) }) == nil,
      ]
    }
    #expect(try refusals(UInt64.max) == [false, true])
    #expect(try refusals(Double.infinity) == [true, false])
    #expect(try refusals(Double.nan) == [true, true])
    #expect(try refusals(Decimal.nan) == [true, true])
    #expect(try refusals("a\0b") == [false, false])
    #expect(try refusals(Date.distantFuture.addingTimeInterval(1e12)) == [true, false])
  }
}
