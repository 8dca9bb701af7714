import ArgumentParser
import EpisodeFeed

/// The options that say which episodes a list shows.
struct ListOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only episodes with a text in title or summary, whatever its case and accents.",
      valueName: "text"))
  var search: String?

  @Option(help: ArgumentHelp("Only episodes of a podcast.", valueName: "title"))
  var podcast: String?

  @Option(help: "What stands under one heading: none, season or podcast.")
  var sections = EpisodeList.Sections.none

  @Option(help: ArgumentHelp("The first episodes only.", valueName: "count"))
  var limit: Int?

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit takes a count from 0.") }
  }

  var list: EpisodeList {
    EpisodeList(sections: sections, search: search, podcast: podcast, limit: limit)
  }
}

extension EpisodeList.Sections: ExpressibleByArgument {}
extension FeedFormat: ExpressibleByArgument {}
