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
        var isOffline = false
        try await controller.updates(since: snapshot).forEach { error in
          isOffline = true
          Output.note("\(error.code): \(error.reason). Trying again…")
        } _: { update in
          if isOffline { Output.note("Connected again.") }
          isOffline = false
          try Output.print(log.lines(of: update))
        }
      }
      try await group.next()
      group.cancelAll()
    }
  }
}
