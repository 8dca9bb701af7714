import MohoMapping

@testable import MohoRows

/// An undone call has not failed.
package struct MissingFailure: Error {}

extension StoreWriter {
  /// Executes SQL in a call that fails at its end. The changes of the call are undone, and the
  /// transaction goes on.
  package func executeUndone(_ sql: String) throws {
    do {
      try execute(sql: "\(sql);\nDELETE FROM \"no table\"")
    } catch is StoreError {
      return
    }
    throw MissingFailure()
  }
}
