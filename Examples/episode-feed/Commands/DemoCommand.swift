import ArgumentParser
import CommandSupport
import EpisodeFeed
import Foundation
import Moho

struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Import two versions of a bundled feed and print the changes of the list.",
    discussion: "Without --store, the store is a temporary file.")

  @OptionGroup var options: StoreOptions<EpisodeStore>

  func run() async throws {
    if options.store != nil { return try await run(in: options.open()) }
    try await ProgramFolder.withTemporaryFile("demo.sqlite", of: EpisodeStore.command) { path in
      try await run(in: ModelStore(path: path, models: Episode.self))
    }
  }

  private func run(in store: ModelStore) async throws {
    try await Demo.run(in: store, width: Terminal.size?.width) { try Output.print([$0]) }
  }
}
