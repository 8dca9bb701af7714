import MohoMapping
import MohoRows
import StoreTesting

/// Declared entities with ordered, to-one, to-many and many-to-many
/// relationships and every delete rule.
enum Library {
  static let podcast = Entity(
    "Podcast",
    attributes: [
      Attribute("title", .string, constraints: [.length(1...20)]),
      Attribute("feed", .string, isOptional: true),
      Attribute("rating", .int16, default: .int64(3), constraints: .range(1...5)),
    ],
    relationships: [
      .toMany("episodes", "Episode", isOrdered: true, inverse: "podcast", onDelete: .cascade),
      .toMany("reviews", "Review", inverse: "podcast", onDelete: .deny),
    ],
    unique: [["feed"]])

  static let episode = Entity(
    "Episode",
    attributes: [
      Attribute("title", .string),
      Attribute("number", .int64, isOptional: true),
      Attribute("price", .decimal, isOptional: true),
    ],
    relationships: [
      .toOne("podcast", "Podcast", inverse: "episodes"),
      .toMany("guests", "Guest", inverse: "episodes"),
      .toOne("sequel", "Episode", inverse: "prequel"),
      .toOne("prequel", "Episode", inverse: "sequel"),
    ],
    unique: [["number", "podcast"]])

  static let guest = Entity(
    "Guest", attributes: [Attribute("name", .string)],
    relationships: [.toMany("episodes", "Episode", isOrdered: true, inverse: "guests")])

  static let review = Entity(
    "Review", attributes: [Attribute("text", .string)],
    relationships: [.toOne("podcast", "Podcast", isOptional: false, inverse: "reviews")])

  static func store() throws -> ModelStore {
    try emptyStore(entities: podcast, episode, guest, review)
  }
}

extension EditingContext {
  /// Inserts a row with values and links.
  func make(_ entity: String, _ values: [String: any FieldValue] = [:]) throws -> ManagedRow {
    let row = try insert(entity)
    for (key, value) in values.sorted(by: { $0.key < $1.key }) { try row.set(key, to: value) }
    return row
  }
}

extension [ManagedRow] {
  /// Returns the values of a text attribute.
  func texts(_ key: String) throws -> [String] {
    try map { try $0.value(key, as: String.self) }
  }
}
