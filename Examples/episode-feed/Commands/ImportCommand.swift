import ArgumentParser
import CommandSupport
import EpisodeFeed
import Foundation

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import a feed.",
    discussion: """
      Adds new episodes and updates changed ones. Episodes that are no longer in the feed \
      stay, unless --mirror is given. The import is one transaction: an error imports nothing.
      """)

  @Argument(help: "The file, or - for standard input.")
  var file: String

  @Flag(help: "Delete episodes of the podcast that are no longer in the feed.")
  var mirror = false

  @Flag(help: "Import the valid items of a feed, and list the invalid ones.")
  var lossy = false

  @Option(
    help: ArgumentHelp("The title of the podcast, instead of the feed's title.", valueName: "title")
  )
  var podcast: String?

  @OptionGroup var options: StoreOptions<EpisodeStore>

  func validate() throws {
    if mirror && lossy {
      throw ValidationError(
        "--mirror and --lossy exclude each other: the episodes of invalid items would be deleted.")
    }
    if let podcast, podcast.allSatisfy(\.isWhitespace) {
      throw ValidationError("--podcast takes a title.")
    }
  }

  func run() throws {
    let feed = try readFeed()
    let importer = EpisodeImporter(try options.open())
    let progress = Progress(of: feed.episodes.count, "episodes")
    defer { progress.end() }
    let report: ImportReport
    do {
      report = try importer.import(feed, mirror ? .mirror : .upsert, progress: progress.show)
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

  private var name: String { InputFile.name(file) }

  private func readFeed() throws -> Feed {
    let data = try InputFile.read(file)
    do {
      var feed = try Feed(reading: data, isLossy: lossy)
      if let podcast { feed.title = podcast }
      return feed
    } catch let error as FeedError {
      throw Failure(error).naming(name)
    }
  }
}
