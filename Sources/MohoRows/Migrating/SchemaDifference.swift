/// A difference between a store and its declarations.
public struct SchemaDifference: Sendable, Hashable {
  /// The kinds of differences.
  public enum Change: Sendable, Hashable {
    /// The part is declared and not in the store.
    case added
    /// The part is in the store and not declared.
    case removed
    /// The part has a former name in the store, according to a declared
    /// ``Renaming``.
    case renamed(from: String)
    /// The column has another SQLite type.
    case type(from: String, to: String)
    /// The column has the declared type, but its values were written in another form,
    /// which the key may not be able to read. The forms are stable texts such as `string`,
    /// `integer 0...255` or `{"array":"integer"}`.
    case form(from: String, to: String)
    /// The key is required in the store and declared as optional.
    case becameOptional
    /// The key is optional in the store and declared as required.
    case becameRequired
    /// The column has another default value. The values are SQL literals.
    case defaultValue(from: String?, to: String?)
    /// The keys are declared as unique and are not unique in the store.
    case becameUnique([String])
    /// The keys are unique in the store and not declared as unique.
    case becameNotUnique([String])
    /// The relationship has another destination or another delete rule.
    case deleteRule
    /// The key or the entity has other constraints.
    case constraints
    /// The index is declared and not in the store.
    case addedIndex(String)
    /// The index is in the store and not declared.
    case removedIndex(String)
    /// The full-text index on the keys is declared and not in the store.
    case addedSearchIndex([String])
    /// The full-text index is in the store and not declared.
    case removedSearchIndex
  }

  /// The name of the entity. It is the declared name, if the entity is
  /// declared.
  public let entity: String
  /// The name of the key, or nil for the whole entity.
  public let key: String?
  /// The kind of the difference.
  public let change: Change

  package init(_ entity: String, _ key: String? = nil, _ change: Change) {
    self.entity = entity
    self.key = key
    self.change = change
  }

  package var part: SchemaPart { SchemaPart(entity: entity, key: key) }
}

extension SchemaDifference: CustomStringConvertible {
  /// A short description of the difference:
  ///
  /// ```
  /// `Episode.title` is optional in the table, required in the model
  /// ```
  public var description: String {
    switch change {
    case .added: "\(part) is not in the \(key == nil ? "store" : "table")"
    case .removed: "\(part) is not in the model"
    case .renamed(let name): "\(part) was renamed from `\(name)`"
    case .type(let old, let new): "\(part) is \(old) in the table, \(new) in the model"
    case .form(let old, let new):
      "\(part) has values in the form \(shortened(old)), in the model \(shortened(new))"
    case .becameOptional: "\(part) is required in the table, optional in the model"
    case .becameRequired: "\(part) is optional in the table, required in the model"
    case .defaultValue(let old, let new):
      "\(part) has the default \(old ?? "none") in the table, \(new ?? "none") in the model"
    case .becameUnique(let keys): "\(list(keys)) of `\(entity)` is not unique in the table"
    case .becameNotUnique(let keys): "\(list(keys)) of `\(entity)` is unique only in the table"
    case .deleteRule: "the foreign key or delete rule of \(part) differs"
    case .constraints: "the constraints of \(part) differ"
    case .addedIndex(let name): "the index `\(name)` is not in the store"
    case .removedIndex(let name): "the index `\(name)` is not in the model"
    case .addedSearchIndex(let keys):
      "the search index of \(part) on \(list(keys)) is not in the store"
    case .removedSearchIndex: "the search index of \(part) is not in the model"
    }
  }

  private func shortened(_ form: String) -> String {
    "`\(form.count > 80 ? "\(form.prefix(80))…" : form)`"
  }

  private func list(_ keys: [String]) -> String { keys.map { "`\($0)`" }.joined(separator: ", ") }
}
