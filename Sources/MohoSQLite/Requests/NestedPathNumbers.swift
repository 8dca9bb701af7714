import MohoMapping
import Synchronization

/// The paths into structured text that statements use, by number.
///
/// The text of a statement can refer to a path only by its number. The numbers are those
/// of the process. There is one for each key of a nested model that requests use.
enum NestedPathNumbers {
  private struct State {
    var numbers: [NestedPath: Int] = [:]
    var paths: [NestedPath] = []
  }

  private static let state = Lock(State())

  /// Returns the number of a path. It stays the same.
  static func number(of path: NestedPath) -> Int {
    state.withLock { state in
      if let number = state.numbers[path] { return number }
      state.numbers[path] = state.paths.count
      state.paths.append(path)
      return state.paths.count - 1
    }
  }

  /// Returns the path with a number.
  static func path(_ number: Int) -> NestedPath? {
    state.withLock { $0.paths.indices.contains(number) ? $0.paths[number] : nil }
  }
}
