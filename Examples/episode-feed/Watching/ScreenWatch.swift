import CommandSupport
import EpisodeFeed
import Foundation
import Moho

/// Draws a list in place until somebody quits.
enum ScreenWatch {
  private enum Event: Sendable {
    case update(ResultsUpdate<Episode>)
    case signal(Signals.Kind)
    case keys([UInt8])
    case failure(any Error)
  }

  static func run(_ list: EpisodeList, _ controller: ResultsController<Episode>) async throws {
    let snapshot = controller.snapshot
    let (events, sink) = AsyncStream.makeStream(of: Event.self)
    let signals = Signals.stream([.interrupt, .terminate, .resize])
    let tasks = [
      Task {
        do {
          for try await update in controller.updates(since: snapshot) {
            sink.yield(.update(update))
          }
        } catch { sink.yield(.failure(error)) }
      },
      Task {
        for await kind in signals {
          sink.yield(.signal(kind))
        }
      },
      Task { for await keys in Keyboard.stream() { sink.yield(.keys(keys)) } },
    ]
    defer { for task in tasks { task.cancel() } }

    let screen = try Screen()
    defer { screen.close() }
    var view = EpisodeScreen(list: list, snapshot: snapshot)
    try screen.draw { view.lines(width: $0, height: $1) }
    for await event in events {
      switch event {
      case .update(let update): view.show(update)
      case .signal(.resize): break
      case .signal: return
      case .keys(let keys):
        // No key at all: the terminal is gone.
        if keys.isEmpty || keys.contains(UInt8(ascii: "q")) { return }
      case .failure(let error): throw error
      }
      try screen.draw { view.lines(width: $0, height: $1) }
    }
  }
}
