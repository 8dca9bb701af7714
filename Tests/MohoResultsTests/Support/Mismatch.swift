import MohoChanges
import MohoTesting

/// What a result has that it should not have, or the other way round.
struct Mismatch: Error, CustomStringConvertible {
  let description: String
}

/// Throws a mismatch unless a condition is met.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  if !condition { throw Mismatch(description: message()) }
}

extension SimulatedTable.Rows {
  /// The rows of an index, with contents that must be known.
  init(_ index: OrderedIndex, _ contents: [Int64: Content]) throws {
    try self.init(index) { rowID in
      guard let content = contents[rowID] else {
        throw Mismatch(description: "row \(rowID) is unknown")
      }
      return content
    }
  }
}
