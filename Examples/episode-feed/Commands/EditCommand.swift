import ArgumentParser
import CommandSupport
import EpisodeFeed
import Foundation
import Moho
import TextTables

struct EditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Change an episode.",
    discussion: """
      Keys without an option remain unchanged. The next import of the feed restores the \
      feed's values. A date without a time zone is in the local time zone, which the environment \
      variable TZ selects; a date without a time is midnight.

      EXAMPLES:
        episode-feed edit 113 --title "The Moho" --date 2026-11-20
        episode-feed edit 113 --clear summary --clear season
      """)

  /// A key whose value can be removed.
  enum Key: String, CaseIterable, ExpressibleByArgument { case summary, date, season }

  @Argument(
    help: "The id of the episode, as shown by `list`.", completion: EpisodeCompletion.ids)
  var id: String

  @Option(
    help: ArgumentHelp(
      "The podcast. Required if several podcasts have an episode with the id.",
      valueName: "title"),
    completion: EpisodeCompletion.podcasts)
  var podcast: String?

  @Option(help: "The new title.")
  var title: String?

  @Option(help: "The new summary.")
  var summary: String?

  @Option(
    help: ArgumentHelp(
      "The new date, such as 2026-11-20, 2026-11-20T08:30:00 or 2026-11-20T08:30:00+01:00.",
      valueName: "date"),
    transform: Self.date)
  var date: Date?

  @Option(help: ArgumentHelp("The new season number.", valueName: "number"))
  var season: Int?

  @Option(
    help: ArgumentHelp(
      "Remove the value of a key. Can be repeated.", valueName: "key"))
  var clear: [Key] = []

  @OptionGroup var options: StoreOptions<EpisodeStore>

  func validate() throws {
    if title == nil, summary == nil, date == nil, season == nil, clear.isEmpty {
      throw ValidationError(
        "Nothing to change: give --title, --summary, --date, --season or --clear.")
    }
    if let title { try Self.check(title, "--title must not be empty.") }
    if let summary {
      try Self.check(
        summary, "--summary must not be empty. Use --clear summary to remove the summary.")
    }
    if let season, season < 0 { throw ValidationError("--season must be 0 or greater.") }
    let given: [(Key, Bool)] = [
      (.summary, summary != nil), (.date, date != nil), (.season, season != nil),
    ]
    for (key, isGiven) in given where isGiven && clear.contains(key) {
      throw ValidationError("--\(key.rawValue) and --clear \(key.rawValue) cannot be combined.")
    }
  }

  func run() throws {
    let keys = try options.openExisting().editEpisode(id, of: podcast) { episode in
      if let title { try episode.rename(title) }
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

  private static func check(_ text: String, _ message: String) throws {
    if VisibleText.isBlank(text) { throw ValidationError(message) }
  }

  private static func date(_ text: String) throws -> Date {
    let local = Date.ISO8601FormatStyle(timeZone: .current).year().month().day()
      .time(includingFractionalSeconds: false)
    let date =
      text.count == 10
      ? Date(day: text, in: .current)
      : text.wholeMatch(of: Date.ISO8601FormatStyle())?.output ?? text.wholeMatch(of: local)?.output
    // The styles accept days that do not exist.
    guard Date(day: text.prefix(10)) != nil, let date else {
      throw ValidationError("expected a date such as 2026-11-20 or 2026-11-20T08:30:00Z")
    }
    return date
  }
}
