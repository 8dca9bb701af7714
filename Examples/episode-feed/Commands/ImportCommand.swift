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

      Invalid values are left out and listed, and so are items that are invalid without them. With \
      invalid items, --mirror deletes nothing. With --strict, they are an error.

      A feed that is imported from a URL is remembered with the options, and `refresh` imports \
      it again. It must have at most 32 MB, and arrive within a minute. Addresses that begin \
      with "feed:" are those of HTTP servers, and "file:" means a file on this machine.

      A compressed file has to be decompressed first.

      EXAMPLES:
        episode-feed import feed.json
        episode-feed import feed.json --mirror
        episode-feed import https://example.com/feed.xml
        episode-feed import feed://example.com/feed.xml
        gzip -dc feed.json.gz | episode-feed import -
      """)

  @Argument(
    help: ArgumentHelp(
      "The file or the HTTP URL of the feed, or - for standard input.", valueName: "file-or-url"),
    completion: .file())
  var source: String

  @Flag(help: "Delete episodes of the podcast that are no longer in the feed.")
  var mirror = false

  @Flag(help: "Import nothing if an item or a value is invalid, instead of leaving it out.")
  var strict = false

  @Option(
    help: ArgumentHelp(
      "The title of the podcast. (default: the title of the feed, or the name of its server or file)",
      valueName: "title"),
    completion: EpisodeCompletion.podcasts)
  var podcast: String?

  @OptionGroup var options: StoreOptions<EpisodeStore>

  func validate() throws {
    if let podcast, podcast.allSatisfy(\.isWhitespace) {
      throw ValidationError("--podcast must not be empty.")
    }
  }

  func run() async throws {
    switch try FeedLocation(source) {
    case .file(let path): try importFile(path)
    case .server(let url): try await importFeed(at: url)
    }
  }

  private func importFeed(at url: URL) async throws {
    let importer = EpisodeImporter(try options.open())
    let fetched: SubscribedFeed
    do {
      fetched = try await importer.fetchFeed(
        at: url, podcast: podcast, isMirror: mirror, isStrict: strict)
    } catch let error as FeedError {
      throw Failure(error).naming(source)
    }
    try report(on: fetched.feed, from: source) { try importer.import(fetched, progress: $0) }
  }

  private func importFile(_ path: String) throws {
    let data = try DataFile.read(path)
    let name = DataFile.name(path)
    var feed: Feed
    do {
      feed = try Feed(reading: data, isLossy: !strict, defaultTitle: podcast ?? title(of: path))
    } catch let error as FeedError {
      throw Failure(error).naming(name)
    }
    if let podcast { feed.title = podcast }
    let importer = EpisodeImporter(try options.open())
    try report(on: feed, from: name) {
      try importer.import(feed, mirror ? .mirror : .upsert, progress: $0)
    }
  }

  /// Runs an import with a progress bar, and prints its result.
  private func report(
    on feed: Feed, from name: String,
    _ body: (@escaping ImportProgress.Handler) throws -> ImportReport
  ) throws {
    let progress = Progress(of: feed.episodes.count, "episodes")
    defer { progress.end() }
    let report = try body { progress.show($0.completedModels) }
    progress.end()
    try Output.print(["\(report)"])
    Output.note(FeedNotes.lines(feed, from: name))
  }

  /// The name of the file, without its extension.
  private func title(of path: String) -> String? {
    let name = URL(filePath: path).deletingPathExtension().lastPathComponent
    return path == "-" || name.isEmpty ? nil : name
  }
}
