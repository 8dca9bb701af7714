/// One thing in which a store differs from what is declared.
public struct SchemaDifference: Sendable, Hashable {
  /// What differs.
  public enum Change: Sendable, Hashable {
    /// It is declared, and not in the store.
    case added
    /// It is in the store, and not declared.
    case removed
    /// It has another name in the store, which is declared to be its old one.
    case renamed(from: String)
    /// Its column is of another SQLite type.
    case type(from: String, to: String)
    /// It is required in the store, and optional by the declaration.
    case becameOptional
    /// It is optional in the store, and required by the declaration.
    case becameRequired
    /// Its column has another default, as SQL spells it.
    case defaultValue(from: String?, to: String?)
    /// Keys that are unique together by the declaration are not in the store.
    case becameUnique([String])
    /// Keys that are unique together in the store are not by the declaration.
    case becameCommon([String])
    /// The relationship leads to another entity, or its rows are deleted by
    /// another rule.
    case deleteRule
    /// The key, or the entity, has other constraints.
    case constraints
    /// Keys have an index by the declaration, and not in the store.
    case addedIndex(String)
    /// Keys have an index in the store, and not by the declaration.
    case removedIndex(String)
  }

  /// The entity, by its declared name, if it is declared.
  public let entity: String
  /// The key, or nil of the entity as a whole.
  public let key: String?
  /// What differs.
  public let change: Change

  init(_ entity: String, _ key: String? = nil, _ change: Change) {
    self.entity = entity
    self.key = key
    self.change = change
  }

  var part: SchemaPart { SchemaPart(entity: entity, key: key) }
}

extension SchemaDifference: CustomStringConvertible {
  /// The difference in a clause:
  ///
  /// ```
  /// `Episode.title` is optional in the table, required in the model
  /// ```
  public var description: String {
    switch change {
    case .added: "\(part) is not in the \(key == nil ? "store" : "table")"
    case .removed: "\(part) is not in the model"
    case .renamed(let name): "\(part) was `\(name)`"
    case .type(let old, let new): "\(part) is \(old) in the table, \(new) in the model"
    case .becameOptional: "\(part) is required in the table, optional in the model"
    case .becameRequired: "\(part) is optional in the table, required in the model"
    case .defaultValue(let old, let new):
      "\(part) has the default \(old ?? "none") in the table, \(new ?? "none") in the model"
    case .becameUnique(let keys): "\(list(keys)) of `\(entity)` is not unique in the table"
    case .becameCommon(let keys): "\(list(keys)) of `\(entity)` is unique in the table alone"
    case .deleteRule: "the links of \(part) follow other rules"
    case .constraints: "the constraints of \(part) differ"
    case .addedIndex(let name): "the index `\(name)` is not in the store"
    case .removedIndex(let name): "the index `\(name)` is not in the model"
    }
  }

  private func list(_ keys: [String]) -> String { keys.map { "`\($0)`" }.joined(separator: ", ") }
}
