public import MohoMapping

/// A row of an ``EditingContext`` whose values are accessed by the properties of a
/// model.
///
/// ```swift
/// let issue = try context.fetch(ModelRequest<Issue>().filter { $0.number == 42 })[0]
/// if try issue.title.isEmpty { issue.title = "Untitled" }
/// issue.milestone = nil
/// try context.save()
/// ```
///
/// Each key of the mapping is a property of the row, with the type that it has in
/// the model. Reading a property can throw: the row may have no value yet, or may
/// no longer be stored. The value of a relation is what the model has: nested
/// models, including their unsaved changes, or references. ``relatedRow(_:)`` and
/// ``relatedRows(_:)`` return the rows of a relation.
///
/// An assignment cannot throw. If the row refuses the value, it keeps its previous
/// value, and the next ``EditingContext/save()`` throws a ``RowValidationError``
/// with the refused assignments, before it writes anything. ``set(_:to:)`` throws
/// immediately.
///
/// A property that is not a stored key of the mapping is an error at run time that
/// names the property. A constant property cannot be assigned; ``set(_:to:)`` can
/// set its key.
///
/// The type is a view of an untyped ``row``, which has the state, the identity and
/// the changed keys. If a member of this type has the same name as a property,
/// access the key with the subscript, as in `issue[\.row]`.
///
/// Not `Sendable`, like its context.
@dynamicMemberLookup
public struct ModelRow<Model: MappedModel>: Hashable {
  /// The untyped row.
  public let row: ManagedRow

  /// Creates a typed view of a row.
  ///
  /// - Throws: A ``StoreError`` if the row has another entity.
  public init(_ row: ManagedRow) throws {
    try row.requireEntity(of: Model.self)
    self.row = row
  }

  /// - Parameter row: A row of the model's entity.
  init(ofEntity row: ManagedRow) { self.row = row }

  /// The value of a model property.
  ///
  /// - Throws: A `MappingError` if the row has no value for the property, or a
  ///   value that the model cannot read. A ``StoreError`` if the property is not a
  ///   stored key, or if the row cannot be read.
  public subscript<Value: Sendable>(dynamicMember keyPath: KeyPath<Model, Value>) -> Value {
    get throws { try row[keyPath] }
  }

  /// The value of a model property.
  ///
  /// - Throws: A `MappingError` if the row has no value for the property, or a
  ///   value that the model cannot read. A ``StoreError`` if the property is not a
  ///   stored key, or if the row cannot be read.
  public subscript<Value: Sendable>(keyPath: KeyPath<Model, Value>) -> Value {
    get throws { try row[keyPath] }
  }

  // Swift has no subscript with a getter that throws and a setter. These are only
  // assigned, and those above are only read.
  /// Sets the value of a model property. If the row refuses the value, the next
  /// ``EditingContext/save()`` throws.
  @_disfavoredOverload
  public subscript<Value: Sendable>(
    dynamicMember keyPath: WritableKeyPath<Model, Value>
  ) -> Value {
    @available(*, unavailable, message: "reading a row can throw; read the value with `try` first")
    // Never called: its uses do not compile.
    get { fatalError("unavailable") }
    nonmutating set { assign(newValue, to: keyPath) }
  }

  /// Sets the value of a model property. If the row refuses the value, the next
  /// ``EditingContext/save()`` throws.
  @_disfavoredOverload
  public subscript<Value: Sendable>(keyPath: WritableKeyPath<Model, Value>) -> Value {
    @available(*, unavailable, message: "reading a row can throw; read the value with `try` first")
    // Never called: its uses do not compile.
    get { fatalError("unavailable") }
    nonmutating set { assign(newValue, to: keyPath) }
  }

  /// Sets the value of a model property.
  ///
  /// The value of a relation sets its links. Nested models are written to their
  /// rows, as by ``ManagedRowAdapter/rows(from:in:)``. References link existing
  /// rows.
  ///
  /// - Throws: A `MappingError` if the key cannot store the value. A ``StoreError``
  ///   if the property is not a stored key, if the row has been deleted or cannot
  ///   be read, or if a referenced row does not exist. The errors of
  ///   ``ManagedRowAdapter/rows(from:in:)`` for nested models. The row is unchanged
  ///   then.
  public func set<Value: Sendable>(_ keyPath: KeyPath<Model, Value>, to value: Value) throws {
    try row.set(keyPath, to: value)
  }

  private func assign<Value: Sendable>(_ value: Value, to keyPath: KeyPath<Model, Value>) {
    let key = Model.mapping.key(for: keyPath)?.name
    do {
      try row.set(keyPath, to: value)
      row.context.acceptAssignment(to: key, of: row.identity)
    } catch {
      row.context.refuseAssignment(to: key, of: row.identity, error)
    }
  }

  /// Returns the model of the row, including the unsaved changes of the row and
  /// its related rows.
  ///
  /// - Throws: The errors of ``ManagedRowAdapter/model(from:)``.
  public func model() throws -> Model { try ManagedRowAdapter().model(from: row) }

  /// Updates the row with the keys that are present in a partial model, as one
  /// undo step. Nil and empty collections remove links.
  ///
  /// - Throws: The errors of ``ManagedRowAdapter/rows(from:in:)``. The row is
  ///   unchanged then.
  public func update(from partial: Partial<Model>) throws {
    try ManagedRowAdapter().update(row, from: partial)
  }
}

extension ModelRow: CustomStringConvertible {
  /// The identity and the state.
  public var description: String { row.description }
}

extension ManagedRow {
  /// - Throws: A ``StoreError`` if the row does not have the entity of a model.
  func requireEntity<Model: MappedModel>(of model: Model.Type) throws {
    guard entity.name == Model.mapping.name else {
      throw StoreError(
        .invalidRequest, subject: "`\(entity.name)`",
        reason: "the row is not a row of `\(Model.mapping.name)`")
    }
  }
}
