import ArgumentParser
import CommandSupport
import EpisodeFeed
import Foundation
import Moho

struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import a feed.",
    discussion: """
      Inserts new episodes and updates changed episodes. With --mirror, also deletes episodes \
      that are no longer in the feed. The import is one transaction: an error imports nothing.

      A feed that is imported from a URL is remembered with the options, and `refresh` imports \
      it again. It must have at most 32 MB, and arrive within a minute.

      EXAMPLES:
        episode-feed import feed.json
        episode-feed import feed.json --mirror
        episode-feed import https://example.com/feed.xml
        tar -xO feed.json < backup.tar | episode-feed import -
      """)

  @Argument(
    help: ArgumentHelp(
      "The file or the HTTP URL of the feed, or - for standard input.", valueName: "file-or-url"),
    completion: .file())
  var source: String

  @Flag(help: "Delete episodes of the podcast that are no longer in the feed.")
  var mirror = false

  @Flag(help: "Import the valid items and list the invalid items, instead of failing.")
  var lossy = false

  @Option(
    help: ArgumentHelp(
      "The title of the podcast. (default: the title of the feed)", valueName: "title"),
    completion: EpisodeCompletion.podcasts)
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

  func run() async throws {
    guard let url else { return try importFile() }
    let importer = EpisodeImporter(try options.open())
    let fetched: SubscribedFeed
    do {
      fetched = try await importer.fetchFeed(
        at: url, podcast: podcast, isMirror: mirror, isLossy: lossy)
    } catch let error as FeedError {
      throw Failure(error).naming(name)
    }
    try report(on: fetched.feed) { try importer.import(fetched, progress: $0) }
  }

  private func importFile() throws {
    let data = try DataFile.read(source)
    var feed: Feed
    do {
      feed = try Feed(reading: data, isLossy: lossy)
    } catch let error as FeedError {
      throw Failure(error).naming(name)
    }
    if let podcast { feed.title = podcast }
    let importer = EpisodeImporter(try options.open())
    try report(on: feed) { try importer.import(feed, mirror ? .mirror : .upsert, progress: $0) }
  }

  /// Runs an import with a progress bar, and prints its result.
  private func report(
    on feed: Feed, _ body: (@escaping ImportProgress.Handler) throws -> ImportReport
  ) throws {
    let progress = Progress(of: feed.episodes.count, "episodes")
    defer { progress.end() }
    let report = try body { progress.show($0.completedModels) }
    progress.end()
    try Output.print(["\(report)"])
    if !feed.failures.isEmpty {
      Output.note("Not imported from \(name):")
      for failure in feed.failures {
        for message in failure.messages { Output.note("  \(message)") }
      }
    }
  }

  private var name: String { DataFile.name(source) }

  /// The URL in the arguments; nil if the argument is a file.
  private var url: URL? {
    let text = source.lowercased()
    guard text.hasPrefix("https://") || text.hasPrefix("http://") else { return nil }
    return URL(string: source) ?? URL(string: "http://")
  }
}
