import MohoMapping

/// The number of rows that saving a mirrored request may delete.
package struct MirrorLimit {
  package let node: ModelNode
  private let fraction: Double

  /// Returns nil if the mode deletes no rows.
  package init?<Model>(_ mode: SaveMode<Model>, _ schema: CompiledSchema) throws {
    guard case .mirror(_, let fraction) = mode else { return nil }
    node = try schema.node(of: Model.self)
    self.fraction = fraction
    guard !node.unique.isEmpty else {
      throw StoreError(
        .invalidRequest,
        reason: "`\(node.name)` has no unique key to tell by which rows are among the models",
        suggestion: "delete the rows of a request, and save the models")
    }
  }

  /// - Throws: A `StoreError` if too many rows would be deleted.
  package func check(deleting remaining: Int, of count: Int) throws {
    // This form of the comparison allows no deletions if the limit is NaN.
    guard remaining == 0 || Double(remaining) <= fraction * Double(count) else {
      throw StoreError(
        .tooManyDeletions, subject: "`\(node.name)`",
        reason:
          "\(remaining) of \(count) rows would be deleted, more than \(fraction * 100) %",
        suggestion: "raise `deletingAtMost` if they are to go")
    }
  }
}

extension StoreError {
  /// The error for a model that cannot be deleted.
  package static func noUniqueKey(toDelete node: ModelNode) -> StoreError {
    StoreError(
      .invalidRequest,
      reason: "`\(node.name)` has no unique key to delete a model by",
      suggestion: "delete the rows of a request")
  }
}
