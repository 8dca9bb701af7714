import ArgumentParser
import CommandSupport
import EpisodeFeed
import Foundation

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import a feed.",
    discussion: """
      New episodes are added, changed ones updated, all others left alone. Episodes that the \
      feed has no longer stay, unless --mirror is given. All of the feed is imported or nothing.
      """)

  @Argument(help: "The file, or - for standard input.")
  var file: String

  @Flag(help: "Delete episodes of the podcast that the feed has no longer.")
  var mirror = false

  @Flag(help: "Import the good items of a feed, and list the bad ones.")
  var lossy = false

  @Option(
    help: ArgumentHelp("The podcast's title, instead of the feed's own.", valueName: "title"))
  var podcast: String?

  @OptionGroup var options: StoreOptions<EpisodeStore>

  func validate() throws {
    if mirror && lossy {
      throw ValidationError(
        "--mirror and --lossy exclude each other: the episodes of bad items would be deleted.")
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
      Output.note("Left out of \(name):")
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
