public import MohoChanges
public import MohoMapping

/// A row of a snapshot, for lists that identify their rows.
public struct SnapshotRow<Model: MappedModel>: Identifiable, Sendable {
  /// The number of the row in ``ResultsSnapshot/index``. It stays the same while
  /// the row is in the result.
  public let id: Int64

  /// The position of the row.
  public let path: RowPath

  let snapshot: ResultsSnapshot<Model>

  /// The model of the row, or nil if it can no longer be read. Models are read in
  /// batches. See ``ResultsSnapshot/model(at:)``.
  public var model: Model? { snapshot[path] }

  /// The error of reading the model, or nil if it can be read. A row that breaks a rule of
  /// its mapping has a `MappingError` that names the row.
  public var error: (any Error)? {
    do { _ = try snapshot.model(at: path) } catch { return error }
    return nil
  }
}

/// The rows of a section of a snapshot. Accessing a row does not read its model.
public struct SnapshotRows<Model: MappedModel>: RandomAccessCollection, Sendable {
  let snapshot: ResultsSnapshot<Model>
  let section: Int
  private let ids: OrderedIndex.RowIDs

  fileprivate init(_ snapshot: ResultsSnapshot<Model>, section: Int) {
    self.snapshot = snapshot
    self.section = section
    ids = snapshot.index.rowIDs(inSection: section)
  }

  /// The index of the first row.
  public var startIndex: Int { 0 }

  /// The number of rows.
  public var endIndex: Int { ids.endIndex }

  /// The row at an index of the section.
  ///
  /// - Complexity: O(log *n*) in the number of rows.
  public subscript(index: Int) -> SnapshotRow<Model> {
    let path = RowPath(section: section, row: index)
    return SnapshotRow(id: ids[index], path: path, snapshot: snapshot)
  }
}

extension ResultsSnapshot {
  /// Returns the rows of a section, or of the single section of an unsectioned
  /// result. Empty if the section does not exist.
  ///
  /// ```swift
  /// ForEach(list.sections) { section in
  ///   Section(section.name) {
  ///     ForEach(list.rows(inSection: section.index)) { row in Text(row.model?.title ?? "") }
  ///   }
  /// }
  /// ```
  public func rows(inSection section: Int = 0) -> SnapshotRows<Model> {
    SnapshotRows(self, section: section)
  }
}
