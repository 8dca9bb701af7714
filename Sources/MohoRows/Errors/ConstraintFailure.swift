/// A constraint that a statement violates, with the keys of the entity.
package enum ConstraintFailure {
  /// The values of the keys must be unique, alone or in combination.
  case unique([String])
  /// A required key has no value.
  case missing(String)
  /// A value violates a constraint of its key.
  case check(String)
  /// A value does not have the type of its key.
  case type(String, found: String)
  /// A relationship denies the deletion of a row.
  case denial(String)

  fileprivate var keys: [String] {
    switch self {
    case .unique(let keys): keys
    case .missing(let key), .check(let key), .type(let key, _), .denial(let key): [key]
    }
  }

  fileprivate var predicate: String {
    switch self {
    case .unique(let keys):
      keys.count == 1 ? "already exists" : "already exist in this combination"
    case .missing: "has no value"
    case .check: "violates a constraint of the key"
    case .type(_, let found): "is \(found)"
    case .denial: "denies the deletion of the row"
    }
  }
}

extension StoreError {
  /// Adds the entity and the keys of a constraint to the error.
  ///
  /// - Parameter entity: The entity, or nil if several entities have such keys.
  package mutating func name(_ failure: ConstraintFailure, of entity: String?) {
    self.entity = entity
    keys = failure.keys
    let names = keys.map { key in "`\(entity.map { "\($0)." } ?? "")\(key)`" }
    reason = "\(names.joined(separator: ", ")) \(failure.predicate)"
  }

  /// How to delete a row whose deletion a relationship denies.
  package static let denialAdvice = "delete or unlink those rows first"

  /// The error for a deletion that a relationship denies.
  init(deniedBy relationship: CompiledRelationship) {
    let (entity, key) = relationship.declaration
    self.init(.deniedDeletion, reason: "", suggestion: Self.denialAdvice)
    name(.denial(key), of: entity)
  }

  /// The error for a reference to a row that is not stored.
  ///
  /// - Parameters:
  ///   - label: The relationship.
  ///   - entity: The entity of the row.
  ///   - key: The description of the unique key of the row.
  package init(
    referenceBy label: String, to entity: String, _ key: String, underlying: (any Error)? = nil
  ) {
    self.init(
      .danglingReference, subject: "`\(label)`", reason: "no `\(entity)` \(key) is stored",
      suggestion: "save it first, or together with the model that refers to it",
      underlying: underlying)
  }
}
