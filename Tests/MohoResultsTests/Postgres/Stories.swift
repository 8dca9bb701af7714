import MohoMapping
import MohoPostgres
import MohoRows
import PostgresTesting

/// Models with every kind of relation.
struct Story: MappedModel, Hashable {
  var id: Int
  var title: String
  var pages: Int
  var genre: String?
  var words: UInt64?
  var shelf: StoryShelf?
  var chapters: Set<StoryChapter>
  var tags: Set<ModelReference<StoryTag>>

  static let mapping = Mapping(
    "Story", Story.init,
    .key("id", \.id, .unique), .key("title", \.title), .key("pages", \.pages, .indexed),
    .key("genre", \.genre, .indexed), .key("words", \.words, .indexed),
    .toOne("shelf", \.shelf),
    .toMany("chapters", \.chapters, inverse: "story", onDelete: .cascade),
    .toMany("tags", \.tags))

  /// The names of the keys whose values differ. Texts are compared by their bytes, as stores
  /// compare them.
  func changedKeys(to other: Story) -> [String] {
    var names: [String] = []
    if id != other.id { names.append("id") }
    if !title.utf8.elementsEqual(other.title.utf8) { names.append("title") }
    if pages != other.pages { names.append("pages") }
    if genre != other.genre { names.append("genre") }
    if words != other.words { names.append("words") }
    if shelf != other.shelf { names.append("shelf") }
    if chapters != other.chapters { names.append("chapters") }
    if tags != other.tags { names.append("tags") }
    return names
  }
}

struct StoryShelf: MappedModel, Hashable {
  var id: Int
  var name: String?
  var rank: Int

  static let mapping = Mapping(
    "Shelf", StoryShelf.init, .key("id", \.id, .unique), .key("name", \.name), .key("rank", \.rank))
}

struct StoryChapter: MappedModel, Hashable {
  var id: Int
  var title: String
  var length: Int
  var story: ModelReference<Story>?

  static let mapping = Mapping(
    "Chapter", StoryChapter.init,
    .key("id", \.id, .unique), .key("title", \.title), .key("length", \.length),
    .toOne("story", \.story, inverse: "chapters"))
}

struct StoryTag: MappedModel, Hashable {
  var id: Int
  var weight: Int

  static let mapping = Mapping(
    "Tag", StoryTag.init, .key("id", \.id, .unique), .key("weight", \.weight))
}

extension ModelStore {
  static func stories(_ url: String) throws -> ModelStore {
    try ModelStore(
      postgres: url, models: Story.self, StoryShelf.self, StoryChapter.self, StoryTag.self)
  }
}
