import ArgumentParser
import EpisodeFeed

/// The options that select and group the episodes of a list.
struct ListOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Show only episodes with these words in the title or summary.",
      discussion: """
        Ignores case and accents. The words can be in any order, and the last one can be the \
        beginning of a word: "mo" finds "Moho", and "oho" does not. Words in double quotes must \
        be next to each other. Text without words, such as "?!", is found as it is, also inside \
        words, and so is any text in a PostgreSQL database.
        """,
      valueName: "words"))
  var search: String?

  @Option(
    help: ArgumentHelp("Show only episodes of this podcast.", valueName: "title"),
    completion: EpisodeCompletion.podcasts)
  var podcast: String?

  @Flag(help: "Show only episodes that are not played.")
  var hidePlayed = false

  @Option(help: "Group the episodes.")
  var sections = EpisodeList.Sections.none

  @Option(help: "Order the episodes.")
  var order = EpisodeList.Order.newest

  @Option(help: ArgumentHelp("Show at most this many episodes.", valueName: "count"))
  var limit: Int?

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit must be 0 or greater.") }
    if search?.isEmpty == true { throw ValidationError("--search must not be empty.") }
  }

  var list: EpisodeList {
    EpisodeList(
      sections: sections, order: order, search: search, podcast: podcast, hidesPlayed: hidePlayed,
      limit: limit)
  }
}

extension EpisodeList.Sections: ExpressibleByArgument {}
extension EpisodeList.Order: ExpressibleByArgument {}
extension FeedFormat: ExpressibleByArgument {
  /// Accepts the formats in which feeds can be written: only `export` has a
  /// format in its arguments.
  public init?(argument: String) {
    guard let format = Self.writable.first(where: { $0.rawValue == argument }) else { return nil }
    self = format
  }

  /// The names of these formats.
  public static var allValueStrings: [String] { writable.map(\.rawValue) }
}
