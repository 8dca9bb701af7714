import MohoChanges
import MohoTesting

/// A difference between a result and what is expected.
struct Mismatch: Error, CustomStringConvertible {
  let description: String
}

/// Throws a mismatch unless a condition is met.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  if !condition { throw Mismatch(description: message()) }
}

extension SimulatedTable.Rows {
  /// The rows of an index. Throws if the content of a row is missing.
  init(_ index: OrderedIndex, _ contents: [Int64: Content]) throws {
    try self.init(index) { rowID in
      guard let content = contents[rowID] else {
        throw Mismatch(description: "row \(rowID) has no content")
      }
      return content
    }
  }
}
