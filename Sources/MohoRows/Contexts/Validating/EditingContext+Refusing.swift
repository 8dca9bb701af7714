import MohoMapping

extension EditingContext {
  /// Records an assignment that a row has refused. The next ``save()`` reports it.
  ///
  /// - Parameter key: The name of the key, or nil if the property is not a key.
  func refuseAssignment(to key: String?, of row: RowIdentity, _ error: any Error) {
    acceptAssignment(to: key, of: row)
    let keys = key.map { [$0] } ?? []
    switch error {
    case let error as MappingError:
      refusedAssignments += error.errors.map { error in
        ValidationFailure(
          Self.kind(of: error), row, keys, found: error.found ?? "\(error)",
          expected: error.expected, underlying: error)
      }
    case let error as RowValidationError:
      // The failures are those of nested rows.
      refusedAssignments += error.failures.map { failure in
        ValidationFailure(
          failure.kind, row, keys, found: failure.found, expected: failure.expected,
          underlying: failure.underlying)
      }
    default:
      let reason = (error as? StoreError)?.reason ?? "\(error)"
      refusedAssignments.append(ValidationFailure(.refusedAssignment, row, keys, found: reason))
    }
  }

  /// Forgets the refused assignments to a key that has been assigned now.
  func acceptAssignment(to key: String?, of row: RowIdentity) {
    guard !refusedAssignments.isEmpty, let key else { return }
    refusedAssignments.removeAll { $0.row == row && $0.keys == [key] }
  }

  private static func kind(of error: MappingError) -> ValidationFailure.Kind {
    switch error.code {
    case .invalidType: .invalidType
    case .failedValidation: .failedRule
    default: .invalidValue
    }
  }
}
