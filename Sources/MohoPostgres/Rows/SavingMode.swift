import MohoRows

/// The way to save the models of a call.
enum SavingMode {
  /// Many models with each statement. The first violated constraint ends the call.
  case fast
  /// As ``fast``, with a savepoint for each statement. If one fails, the models that
  /// violate the constraint are looked for.
  case careful
}

extension WriteFailures {
  convenience init(_ mode: SavingMode) { self.init { mode == .careful } }
}

extension PostgresConnection {
  /// Writes the elements of a list with a closure. If it violates a constraint, its changes
  /// are undone, and the halves of the list are written one after the other, in the same way.
  ///
  /// This writes all elements but those that violate a constraint, and succeeds if only the
  /// order in one statement was the reason.
  ///
  /// - Parameter fail: Receives each element that violates a constraint.
  /// - Complexity: O(*k* log *n*) calls of the closure for *k* such elements of *n*.
  func writingParts<Elements: RandomAccessCollection>(
    of elements: Elements, _ write: (Elements.SubSequence) throws -> Void,
    failing fail: (StoreError, Elements.Element) throws -> Void
  ) throws {
    try writingParts(of: elements[...], of: elements, write, fail)
  }

  private func writingParts<Elements: RandomAccessCollection>(
    of part: Elements.SubSequence, of elements: Elements,
    _ write: (Elements.SubSequence) throws -> Void,
    _ fail: (StoreError, Elements.Element) throws -> Void
  ) throws {
    do {
      try withSavepoint { try write(part) }
    } catch let error as StoreError where error.isConstraintFailure {
      guard part.count > 1 else {
        for element in part { try fail(error, element) }
        return
      }
      let middle = elements.index(part.startIndex, offsetBy: part.count / 2)
      try writingParts(of: elements[part.startIndex..<middle], of: elements, write, fail)
      try writingParts(of: elements[middle..<part.endIndex], of: elements, write, fail)
    }
  }
}

extension StoreError {
  /// Whether a value violates a constraint or a type of its column, or refers to a row that
  /// does not exist.
  var isConstraintFailure: Bool {
    guard let state = (underlying as? PostgresError)?.sqlState else {
      return code == .danglingReference
    }
    return state.hasPrefix("23") || state.hasPrefix("22")
  }
}
