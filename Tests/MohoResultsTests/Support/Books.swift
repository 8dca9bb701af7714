import MohoMapping
import MohoRows
import StoreTesting

/// Models with every kind of relation: books on shelves, with chapters of their own
/// and shared tags.
struct Book: MappedModel, Hashable {
  var id: Int
  var title: String
  var pages: Int
  var genre: String?
  var shelf: Shelf?
  var chapters: Set<Chapter>
  var tags: Set<ModelReference<Tag>>

  static let mapping = Mapping(
    "Book", Book.init,
    .key("id", \.id, .unique),
    .key("title", \.title, .searchable),
    .key("pages", \.pages, .indexed),
    .key("genre", \.genre, .indexed, .searchable),
    .toOne("shelf", \.shelf),
    .toMany("chapters", \.chapters, inverse: "book", onDelete: .cascade),
    .toMany("tags", \.tags))

  /// The names of the keys whose values differ.
  func changedKeys(to other: Book) -> [String] {
    var names: [String] = []
    if id != other.id { names.append("id") }
    if title != other.title { names.append("title") }
    if pages != other.pages { names.append("pages") }
    if genre != other.genre { names.append("genre") }
    if shelf != other.shelf { names.append("shelf") }
    if chapters != other.chapters { names.append("chapters") }
    if tags != other.tags { names.append("tags") }
    return names
  }
}

struct Shelf: MappedModel, Hashable {
  var id: Int
  var name: String?
  var rank: Int

  static let mapping = Mapping(
    "Shelf", Shelf.init,
    .key("id", \.id, .unique), .key("name", \.name, .searchable), .key("rank", \.rank))
}

struct Chapter: MappedModel, Hashable {
  var id: Int
  var title: String
  var length: Int
  var book: ModelReference<Book>?

  static let mapping = Mapping(
    "Chapter", Chapter.init,
    .key("id", \.id, .unique), .key("title", \.title), .key("length", \.length),
    .toOne("book", \.book, inverse: "chapters"))
}

struct Tag: MappedModel, Hashable {
  var name: String
  var weight: Int

  static let mapping = Mapping(
    "Tag", Tag.init, .key("name", \.name, .unique), .key("weight", \.weight))
}

extension ModelStore {
  static func books() throws -> ModelStore {
    try emptyStore(Book.self, Shelf.self, Chapter.self, Tag.self)
  }

  /// The tags of each book. Tags with the same name can be different rows.
  func linkedTags() throws -> [Int64: Set<LinkedTag>] {
    let links = try values(
      """
      SELECT source, target, name FROM "_moho_Book_tags" JOIN "Tag" ON "Tag"._moho_id = target
      """
    ).map { $0.split(separator: "|", maxSplits: 2) }
    return Dictionary(grouping: links) { Int64($0[0]) ?? 0 }.mapValues { links in
      Set(links.map { LinkedTag(id: Int64($0[1]) ?? 0, name: String($0[2])) })
    }
  }
}

/// A tag row, and the name that a book reads from it.
struct LinkedTag: Hashable {
  let id: Int64
  let name: String
}
