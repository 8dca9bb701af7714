import ArgumentParser
import CommandSupport
import EpisodeFeed
import Foundation

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the episodes.",
    discussion: """
      Each line has the date in the local time zone, the id, "paid" if the episode is for subscribers, the \
      length and the title. In a terminal, lines are truncated to its width. The environment \
      variable TZ selects the time zone.

      EXAMPLES:
        episode-feed list --sections season
        episode-feed list --search moho --limit 10
      """)

  @OptionGroup var listOptions: ListOptions
  @OptionGroup var options: StoreOptions<EpisodeStore>

  func run() throws {
    let sections = try listOptions.list.sections(in: options.openExisting())
    if sections.isEmpty { Output.note("No episodes.") }
    try Output.print(
      EpisodeText.lines(sections, width: Terminal.size?.width, timeZone: .current))
  }
}
