import ArgumentParser
import CommandSupport
import EpisodeFeed
import Foundation
import Moho

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import a feed.",
    discussion: """
      Inserts new episodes and updates changed episodes. With --mirror, also deletes episodes \
      that are no longer in the feed. The import is one transaction: an error imports nothing.

      EXAMPLES:
        episode-feed import feed.json
        episode-feed import feed.json --mirror
        curl -s https://example.com/feed.json | episode-feed import -
      """)

  @Argument(help: "The file of the feed, or - for standard input.")
  var file: String

  @Flag(help: "Delete episodes of the podcast that are no longer in the feed.")
  var mirror = false

  @Flag(help: "Import the valid items and list the invalid items, instead of failing.")
  var lossy = false

  @Option(
    help: ArgumentHelp(
      "The title of the podcast. (default: the title of the feed)", valueName: "title"))
  var podcast: String?

  @OptionGroup var options: StoreOptions<EpisodeStore>

  func validate() throws {
    if mirror && lossy {
      throw ValidationError(
        "--mirror and --lossy cannot be combined: the episodes of invalid items would be deleted.")
    }
    if let podcast, podcast.allSatisfy(\.isWhitespace) {
      throw ValidationError("--podcast must not be empty.")
    }
  }

  func run() throws {
    let feed = try readFeed()
    let importer = EpisodeImporter(try options.open())
    let progress = Progress(of: feed.episodes.count, "episodes")
    defer { progress.end() }
    let report: ImportReport
    do {
      report = try importer.import(feed, mirror ? .mirror : .upsert) {
        progress.show($0.completedModels)
      }
    } catch let error as FeedError {
      throw Failure(error).naming(name)
    }
    progress.end()
    try Output.print(["\(report)"])
    if !feed.failures.isEmpty {
      Output.note("Not imported from \(name):")
      for failure in feed.failures {
        for message in failure.messages { Output.note("  \(message)") }
      }
    }
  }

  private var name: String { DataFile.name(file) }

  private func readFeed() throws -> Feed {
    let data = try DataFile.read(file)
    do {
      var feed = try Feed(reading: data, isLossy: lossy)
      if let podcast { feed.title = podcast }
      return feed
    } catch let error as FeedError {
      throw Failure(error).naming(name)
    }
  }
}
