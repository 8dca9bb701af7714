import CommandSupport
import EpisodeFeed
import Moho

/// Prints the changes of a list until the process receives a signal to end.
enum PlainWatch {
  static func run(_ controller: ResultsController<Episode>) async throws {
    let snapshot = controller.snapshot
    try await withThrowingTaskGroup(of: Void.self) { group in
      let signals = Signals.stream([.interrupt, .terminate])
      group.addTask { for await _ in signals { return } }
      group.addTask {
        var log = ChangeLog(since: snapshot)
        let count = snapshot.count
        Output.note("Watching \(count) episode\(count == 1 ? "" : "s"). Quit with Ctrl-C.")
        for try await update in controller.updates(since: snapshot) {
          try Output.print(log.lines(of: update))
        }
      }
      try await group.next()
      group.cancelAll()
    }
  }
}
