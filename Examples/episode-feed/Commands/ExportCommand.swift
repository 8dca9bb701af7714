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
      Importing the exported feed gives the same episodes. The screencast format has fewer keys \
      and no podcast title, and requires integers as ids. Control characters in texts are JSON \
      escapes.

      EXAMPLES:
        episode-feed export feed.json
        episode-feed export | episode-feed import - --store copy.sqlite
        episode-feed export --podcast "Deep Time" --format screencast
      """)

  @Argument(help: "The file to write, or - for standard output.", completion: .file())
  var file = "-"

  @Option(help: "The format of the feed.")
  var format = FeedFormat.jsonFeed

  @Option(
    help: ArgumentHelp(
      "The podcast. Required if the store has several.", valueName: "title"),
    completion: EpisodeCompletion.podcasts)
  var podcast: String?

  @OptionGroup var options: StoreOptions<EpisodeStore>

  func run() throws {
    let store = try options.openExisting()
    let document = JSONText(try store.feed(of: podcast).data(format))
    try DataFile.write(document, to: file)
  }
}
