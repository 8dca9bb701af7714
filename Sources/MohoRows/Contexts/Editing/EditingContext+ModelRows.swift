public import MohoMapping

extension EditingContext {
  /// Fetches the rows of a request, in its order, including unsaved changes.
  ///
  /// ```swift
  /// for issue in try context.fetch(ModelRequest<Issue>().filter { $0.isOpen == true }) {
  ///   issue.title = try issue.title.capitalized
  /// }
  /// ```
  ///
  /// - Throws: A ``StoreError`` that lists all issues of the request, or an error
  ///   if the store cannot be read.
  /// - Complexity: As for requests of untyped rows.
  public func fetch<Model>(_ request: ModelRequest<Model>) throws -> [ModelRow<Model>] {
    try fetch(request.rows).map { ModelRow(ofEntity: $0) }
  }

  /// Inserts a row of a model's entity with the `default:` values of its keys.
  ///
  /// - Throws: A ``StoreError`` if the store does not have the entity.
  public func insert<Model: MappedModel>(_ model: Model.Type) throws -> ModelRow<Model> {
    ModelRow(ofEntity: try insert(Model.mapping.name))
  }

  /// Deletes a row when the context is saved. See
  /// ``delete(_:)-(Sequence<ManagedRow>)``.
  public func delete<Model>(_ row: ModelRow<Model>) throws { try delete(row.row) }

  /// Deletes rows when the context is saved. See
  /// ``delete(_:)-(Sequence<ManagedRow>)``.
  public func delete<Model>(_ rows: some Sequence<ModelRow<Model>>) throws {
    try delete(rows.map(\.row))
  }

  /// Reads the current values of a row from the store. See
  /// ``refresh(_:keepingChanges:)-(ManagedRow,_)``.
  public func refresh<Model>(_ row: ModelRow<Model>, keepingChanges: Bool = false) throws {
    try refresh(row.row, keepingChanges: keepingChanges)
  }
}
