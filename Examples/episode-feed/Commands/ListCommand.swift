import ArgumentParser
import CommandSupport
import EpisodeFeed
import Foundation
import Moho

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the episodes.",
    discussion: """
      Each line has the date in the local time zone, the id, "paid" if the episode is for subscribers, the \
      length and the title. In a terminal, lines are truncated to its width. The environment \
      variable TZ selects the time zone.

      With --json, the output is an array with an object on each line: an item of JSON Feed, with \
      `podcast` and `played` in the object `_episode_feed`. Keys without a value are omitted. \
      The objects are written while the store is read, so that an error can end the array early; \
      the exit status is not 0 then.

      EXAMPLES:
        episode-feed list --sections season
        episode-feed list --search moho --limit 10
        episode-feed list --json --hide-played | jq -r '.[].url'
      """)

  @Flag(help: "Print the episodes as JSON.")
  var json = false

  @OptionGroup var listOptions: ListOptions
  @OptionGroup var options: StoreOptions<EpisodeStore>

  func run() throws {
    let store = try options.openExisting()
    if json { return try printJSON(store) }
    let width = Terminal.size?.width
    var columnWidths: [Int] = []
    var isEmpty = true
    try listOptions.list.forEachBatch(in: store) { sections in
      isEmpty = false
      try Output.print(
        EpisodeText.lines(
          sections, width: width, timeZone: .current, columnWidths: &columnWidths))
    }
    if isEmpty { Output.note("No episodes.") }
  }

  private func printJSON(_ store: ModelStore) throws {
    var output = JSONArrayOutput()
    let request = listOptions.list.request.batchSize(200)
    try store.read { reader in
      try reader.forEachBatch(of: request) { batch in
        try output.print(EpisodeItem.objects(of: batch))
      }
    }
    try output.end()
  }
}
