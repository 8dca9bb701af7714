import CommandSupport
import EpisodeFeed
import Moho

/// Prints the changes of a list until the process receives a signal to end.
enum PlainWatch {
  /// - Returns: The signal.
  static func run(_ controller: ResultsController<Episode>) async throws -> Signals.Kind? {
    let snapshot = controller.snapshot
    return try await withThrowingTaskGroup(of: Signals.Kind?.self) { group in
      // SIGHUP ends the process by default, unless its parent has made the process
      // ignore it, as `nohup` does.
      let signals = Signals.stream([.interrupt, .quit, .terminate])
      group.addTask { await signals.first { _ in true } }
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
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }
}
