import ArgumentParser
import CommandSupport
import EpisodeFeed
import Foundation
import Moho

struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Import two versions of a bundled feed and print the changes of the list.",
    discussion: """
      With --serve, the list is a page in the browser. The second version arrives a few seconds \
      after the page was opened.

      Without --store, the store is a temporary file.

      EXAMPLES:
        episode-feed demo
        episode-feed demo --serve
      """)

  @Flag(help: "Show the list on a page in the browser.")
  var serve = false

  @OptionGroup var serverOptions: ServerOptions
  @OptionGroup var options: StoreOptions<EpisodeStore>

  func validate() throws {
    if serverOptions.port != nil, !serve {
      throw ValidationError("--port requires --serve.")
    }
  }

  func run() async throws {
    if options.store != nil { return try await run(in: options.open()) }
    try await ProgramFolder.withTemporaryFile("demo.sqlite", of: EpisodeStore.command) { path in
      try await run(in: EpisodeStore.open(path, StoreConfiguration()))
    }
  }

  private func run(in store: ModelStore) async throws {
    guard serve else {
      return try await Demo.run(in: store, width: Terminal.size?.width) { try Output.print([$0]) }
    }
    try Demo.start(in: store)
    try await serverOptions.serve(store) { service in
      Output.note("Open the page: the feed changes a few seconds later.")
      try await Demo.continue(in: store, with: service)
      Output.note("The second version of the feed has arrived.")
    }
  }
}
