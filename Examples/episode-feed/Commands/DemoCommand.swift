import ArgumentParser
import CommandSupport
import EpisodeFeed
import Foundation
import Moho

struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Import a bundled feed, then a changed version of it, and show the changes.",
    discussion: "The store is a temporary file unless --store names one.")

  @OptionGroup var options: StoreOptions<EpisodeStore>

  func run() async throws {
    if options.store != nil { return try await run(in: options.open()) }
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "episode-feed-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw Failure(
        .cannotCreate,
        "\(folder.path): the folder cannot be created: \(error.localizedDescription)",
        advice: "Choose a file for the store with --store.")
    }
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "demo.sqlite").path
    try await run(in: ModelStore(path: path, models: Episode.self))
  }

  private func run(in store: ModelStore) async throws {
    try await Demo.run(in: store, width: Terminal.size?.width) { try Output.print([$0]) }
  }
}
