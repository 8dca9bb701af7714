import ArgumentParser
import CommandSupport
import EpisodeFeed
import Foundation
import Moho

struct EditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Change an episode.",
    discussion: """
      Keys that no option names stay as they are. When its feed is imported again, the episode \
      takes the feed's values.
      """)

  /// A key that may have no value.
  enum Key: String, CaseIterable, ExpressibleByArgument { case summary, date, season }

  @Argument(help: "The id of the episode, as `list` shows it.")
  var id: String

  @Option(help: "The title.")
  var title: String?

  @Option(help: "The summary.")
  var summary: String?

  @Option(
    help: ArgumentHelp(
      "The date, such as 2026-11-20 (in UTC) or 2026-11-20T08:30:00+01:00.", valueName: "date"),
    transform: Self.date)
  var date: Date?

  @Option(help: ArgumentHelp("The number of the season.", valueName: "number"))
  var season: Int?

  @Option(help: ArgumentHelp("A key to take the value from; may be given several times."))
  var clear: [Key] = []

  @OptionGroup var options: StoreOptions<EpisodeStore>

  func validate() throws {
    if title == nil, summary == nil, date == nil, season == nil, clear.isEmpty {
      throw ValidationError(
        "Say what to change: --title, --summary, --date, --season or --clear.")
    }
    let given: [(Key, Bool)] = [
      (.summary, summary != nil), (.date, date != nil), (.season, season != nil),
    ]
    for (key, isGiven) in given where isGiven && clear.contains(key) {
      throw ValidationError("--\(key.rawValue) and --clear \(key.rawValue) exclude each other.")
    }
  }

  func run() throws {
    let keys = try options.openExisting().editEpisode(id) { episode in
      if let title { episode.title = title }
      if let summary { episode.summary = summary }
      if let date { episode.publishedAt = date }
      if let season { episode.season = season }
      for key in clear {
        switch key {
        case .summary: episode.summary = nil
        case .date: episode.publishedAt = nil
        case .season: episode.season = nil
        }
      }
    }
    try Output.print([
      keys.isEmpty
        ? "\(id): nothing changed" : "\(id): changed \(keys.joined(separator: ", "))"
    ])
  }

  private static func date(_ text: String) throws -> Date {
    guard let date = ISO8601.date(text) ?? ISO8601.date(text + "T00:00:00Z") else {
      throw ValidationError("no date such as 2026-11-20 or 2026-11-20T08:30:00Z")
    }
    return date
  }
}
