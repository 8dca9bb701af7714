import Moho

/// A model without relations.
struct Mark: MappedModel, Equatable {
  var id: Int
  var text: String
  var length: Int

  static let mapping = Mapping(
    "Mark", Mark.init,
    .key("id", \.id, .unique), .key("text", \.text), .key("length", \.length, .indexed))

  static func number(_ id: Int, round: Int = 0) -> Mark {
    Mark(
      id: id, text: String(repeating: "Mark \(id) of round \(round). ", count: 12),
      length: id * 7 % 30 + round)
  }
}

struct Podcast: MappedModel, Equatable {
  var id: Int
  var title: String
  var episodes: [Episode]

  static let mapping = Mapping(
    "Podcast", Podcast.init,
    .key("id", \.id, .unique), .key("title", \.title),
    .toMany("episodes", \.episodes, inverse: "podcast", onDelete: .cascade))

  static func number(_ id: Int, round: Int = 0) -> Podcast {
    Podcast(
      id: id, title: "Podcast \(id) of round \(round)",
      episodes: (0..<5 + round).map { index in
        Episode(
          id: id * 100 + index, title: "Episode \(index) of round \(round)",
          podcast: nil)
      })
  }
}

struct Episode: MappedModel, Equatable {
  var id: Int
  var title: String
  var podcast: ModelReference<Podcast>?

  static let mapping = Mapping(
    "Episode", Episode.init,
    .key("id", \.id, .unique), .key("title", \.title),
    .toOne("podcast", \.podcast, inverse: "episodes"))
}

/// A later version of `Mark`: a key is new, and another one has a new name and type.
struct LaterMark: MappedModel {
  var id: Int
  var content: String
  var length: Int
  var rating: Int

  static let mapping = Mapping(
    "Mark", LaterMark.init,
    .key("id", \.id, .unique), .key("content", \.content, .indexed),
    .key("length", \.length), .key("rating", \.rating, default: 3))
}

/// A version of `Mark` with another type.
struct MeasuredMark: MappedModel {
  var id: Int
  var text: String
  var length: String

  static let mapping = Mapping(
    "Mark", MeasuredMark.init,
    .key("id", \.id, .unique), .key("text", \.text), .key("length", \.length, .indexed))
}

/// A version of `Mark` with a full-text index.
struct SearchedMark: MappedModel {
  var id: Int
  var text: String
  var length: Int

  static let mapping = Mapping(
    "Mark", SearchedMark.init,
    .key("id", \.id, .unique), .key("text", \.text, .searchable),
    .key("length", \.length, .indexed))
}
