package import MohoMapping

/// Returns the value that a column stores for a content.
///
/// - Throws: A `MappingError` if no column can store the content.
package typealias ContentConversion = @Sendable (FieldContent) throws -> FieldContent

/// The statements of an engine that save graphs.
package protocol GraphStatements {
  /// Returns a writer for the rows of a model.
  ///
  /// - Parameters:
  ///   - deferredLinks: The indexes of the links whose columns are written after
  ///     all rows have been written.
  ///   - log: The log of written rows, or nil if rows may be written several
  ///     times.
  func nodeWriter(
    _ node: ModelNode, deferring deferredLinks: Set<Int>, log: SavedRowLog?
  ) throws -> any NodeRowWriter

  /// Returns a writer for the links of a relation that are stored in other rows
  /// or in a link table.
  func linkWriter(_ link: NodeLink, of node: ModelNode) throws -> any LinkRowWriter

  /// Returns whether a row with a unique key is stored.
  func contains(_ key: FieldContent, of node: ModelNode) throws -> Bool

  /// Returns the stored models with the given unique keys.
  func models<Model: MappedModel>(
    of model: Model.Type, with keys: [FieldContent]
  ) throws -> [Model]

  /// The errors of the call.
  var failures: WriteFailures { get }

  /// Returns the value that a column stores for a content, or nil if columns
  /// store every content as it is.
  var storedContent: ContentConversion? { get }
}

/// Writes the rows of one model. The errors of rows are added to those of the call.
package protocol NodeRowWriter: AnyObject {
  /// Writes rows, except their deferred links, and sets their outcomes.
  ///
  /// - Parameters:
  ///   - isOnlyInserted: Whether a row is not written if a row has its unique
  ///     key.
  ///   - batch: The number of the batch. A batch may write a row in several
  ///     steps.
  /// - Throws: A ``RepeatedRow`` if another batch has updated a row.
  func save(
    _ rows: [GraphRow], onlyInserting isOnlyInserted: (GraphRow) -> Bool, batch: Int
  ) throws

  /// Writes the deferred links of stored rows.
  func saveDeferredLinks(of rows: [GraphRow], batch: Int) throws

  /// Writes the keys that are present in a partial model.
  ///
  /// - Throws: A ``RepeatedRow`` if another partial model has updated them.
  func update(_ row: GraphRow) throws
}

/// Writes the links of one relation that are stored in other rows or in a link
/// table.
package protocol LinkRowWriter: AnyObject {
  var link: NodeLink { get }

  /// Collects the links of rows, in order. If a row occurs several times, its last links
  /// are used, or all of them if they are added to the stored ones.
  func save(_ rows: [GraphRow]) throws

  /// Updates the stored links to the collected ones.
  func write(_ report: inout SaveReport) throws
}

/// The rows of a mirrored request for which no model has been saved.
package protocol MirroredRows {
  /// Excludes the rows of saved models from deletion.
  func retain(_ rows: [GraphRow]) throws
}
