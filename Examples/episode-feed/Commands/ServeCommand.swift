import ArgumentParser
import CommandSupport
import EpisodeFeed
import Moho

struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Show the list on a page in the browser, and follow its changes by any program.",
    discussion: """
      Prints the address of the page, and serves it until Ctrl-C. Creates the store if it does \
      not exist, so that the page can import. Rows that change on the page \
      move to their new positions: imports and edits by other programs, too. The page searches, \
      edits, undoes, and imports a file that is dropped on it. It lists the podcasts with their \
      numbers of episodes that are not played, changes the order, and can hide played episodes. It \
      shows the show notes and the chapters of an episode, and plays recordings from where you \
      stopped. It fetches the remembered feeds again, with progress.

      Without --port, the port is 8080, or the next free one. Only programs on this machine can \
      connect.

      EXAMPLES:
        episode-feed serve
        episode-feed serve --port 3000 --store episodes.sqlite
        episode-feed demo --serve     (an example whose list changes by itself)

      KEYS:
        Up Down k j    select an episode     Enter  edit the title
        space      mark as played        Delete delete
        u, r       undo, redo            /      search
        n          show notes            p      play, pause
        Shift-R    refresh
      """)

  @OptionGroup var serverOptions: ServerOptions
  @OptionGroup var options: StoreOptions<EpisodeStore>

  func run() async throws {
    try await serverOptions.serve(try options.open())
  }
}

/// The options of commands that serve the page.
struct ServerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The port; 0 for any free port. (default: 8080, or the next free port)", valueName: "number"))
  var port: UInt16?

  /// Serves the page until the process receives a signal to end.
  ///
  /// - Parameter work: Runs meanwhile.
  func serve(
    _ store: ModelStore, work: @escaping @Sendable (EpisodeService) async throws -> Void = { _ in }
  ) async throws {
    PageServer.raiseConnectionLimit()
    let service = EpisodeService(store)
    let count = try await store.fetchCount(ModelRequest<Episode>())
    let list = try await Self.firstList(service)
    defer { withExtendedLifetime(list) {} }
    let signals = Signals.stream([.interrupt, .terminate])
    let server = try await PageServer(service, port: port)
    if port == nil, server.port != PageServer.defaultPort {
      Output.note("Port \(PageServer.defaultPort) is used by another program.")
    }
    try Output.print([server.url])
    Output.note("Serving \(count) episode\(count == 1 ? "" : "s"). Quit with Ctrl-C.")
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { for await _ in signals { return } }
      group.addTask {
        try await work(service)
        try await Task.sleep(for: .seconds(1 << 40))
      }
      defer { group.cancelAll() }
      try await group.next()
    }
    server.stop()
  }

  /// Fetches the list that the page shows first, so that a page which is opened
  /// immediately does not wait for it.
  private static func firstList(_ service: EpisodeService) async throws -> ListClient {
    let note = Task {
      try await Task.sleep(for: .seconds(1))
      Output.note("Reading the list…")
    }
    defer { note.cancel() }
    return try await service.prepare(EpisodeList(sections: .season))
  }
}
