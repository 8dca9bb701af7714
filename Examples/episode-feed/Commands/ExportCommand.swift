import ArgumentParser
import CommandSupport
import EpisodeFeed
import Foundation
import Moho

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the episodes of a podcast as a feed.",
    discussion: """
      Importing the exported feed gives the same episodes. The screencast form has fewer keys \
      and no podcast title, and requires ids that are numbers. Control characters in texts are \
      JSON escapes.
      """)

  @Argument(help: "The file. (default: standard output)")
  var file: String?

  @Option(help: "The form of the feed: json-feed or screencast.")
  var format = FeedFormat.jsonFeed

  @Option(
    help: ArgumentHelp(
      "The podcast. Required if the store has several.", valueName: "title"))
  var podcast: String?

  @OptionGroup var options: StoreOptions<EpisodeStore>

  func run() throws {
    let store = try options.openExisting()
    let document = JSONText(try store.feed(of: podcast).data(format))
    guard let file, file != "-" else { return try Output.print(document) }
    do {
      try document.data.write(to: URL(fileURLWithPath: file), options: .atomic)
    } catch {
      throw Failure(
        .cannotCreate, "\(file): cannot be written: \(FileReason.writing(file, error))",
        advice: "Check that its folder exists and is writable.")
    }
  }
}
