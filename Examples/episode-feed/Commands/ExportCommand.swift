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
      What is written imports as the same episodes. The screencast's form has no title and \
      fewer keys, and asks for ids that are numbers.
      """)

  @Argument(help: "The file; standard output unless given.")
  var file: String?

  @Option(help: "The form: json-feed or screencast.")
  var format = FeedFormat.jsonFeed

  @Option(
    help: ArgumentHelp(
      "The podcast; needed where the store has several.", valueName: "title"))
  var podcast: String?

  @OptionGroup var options: StoreOptions<EpisodeStore>

  func run() throws {
    let store = try options.openExisting()
    let data = try store.feed(of: podcast).data(format) + Data("\n".utf8)
    guard let file, file != "-" else { return try Output.write(data) }
    do {
      try data.write(to: URL(fileURLWithPath: file), options: .atomic)
    } catch {
      throw Failure(
        .cannotCreate, "\(file): cannot be written: \(FileReason.writing(file, error))",
        advice: "Check that its folder exists and who may write there.")
    }
  }
}
