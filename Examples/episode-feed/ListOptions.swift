import ArgumentParser
import EpisodeFeed

/// The options that say which episodes a list shows.
struct ListOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only episodes whose title or summary contains a text, in any case, with or without accents.",
      valueName: "text"))
  var search: String?

  @Option(help: ArgumentHelp("Only episodes of one podcast.", valueName: "title"))
  var podcast: String?

  @Option(help: "Group the episodes: none, season or podcast.")
  var sections = EpisodeList.Sections.none

  @Option(help: ArgumentHelp("Only the first episodes.", valueName: "count"))
  var limit: Int?

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit takes a number from 0.") }
    if search?.isEmpty == true { throw ValidationError("--search takes a text.") }
  }

  var list: EpisodeList {
    EpisodeList(sections: sections, search: search, podcast: podcast, limit: limit)
  }
}

extension EpisodeList.Sections: ExpressibleByArgument {}
extension FeedFormat: ExpressibleByArgument {}
