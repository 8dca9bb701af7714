import Foundation
import MohoJSON
import MohoMapping

/// Several threads read and write JSON with the same adapters, which prepare
/// their state lazily.
struct AdapterRound: Sendable {
  private let tracks = JSONAdapter<Track>()
  private let notices = JSONAdapter<Notice>()
  private let reporting = JSONAdapter<Track>(unknownKeyPolicy: .refuse)

  func run() async throws {
    try await onThreads((0..<4).map { thread in { try work(thread) } })
  }

  private func work(_ thread: Int) throws {
    for step in 0..<20 {
      let models = (1...10).map { Track.sample($0, thread + step + $0) }
      let data = try tracks.data(from: models)
      try check(try tracks.models(from: data) == models)
      try check(try reporting.models(from: data) == models)
      let all = models.map { Notice.track($0) } + [.album(Album(id: step, name: "Album"))]
      try check(try notices.models(from: try notices.data(from: all)) == all)
      // The diagnostic path, which collects all errors.
      let faulty = Data(#"[{"id": "\#(step)", "releasedOn": "soon"}, {"other": 1}]"#.utf8)
      try check((try? tracks.models(from: faulty)) == nil)
      try check((try? reporting.models(from: faulty)) == nil)
    }
  }
}

/// A result that differs from the result of a single thread.
struct WrongResult: Error {}

/// Throws if a condition is false.
func check(_ condition: Bool) throws {
  if !condition { throw WrongResult() }
}
