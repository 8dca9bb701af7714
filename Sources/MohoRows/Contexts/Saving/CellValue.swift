package import MohoMapping

/// The value of a row's column: a content, or the row that a link refers to.
package enum CellValue: Hashable, Sendable {
  case content(FieldContent)
  case row(RowIdentity?)

  var isNull: Bool {
    switch self {
    case .content(let value): value == .null
    case .row(let identity): identity == nil
    }
  }

  /// The value as stored in the column and shown in messages.
  package var content: FieldContent {
    switch self {
    case .content(let value): value
    case .row(nil): .null
    case .row(let identity?):
      identity.stored.map { .int64($0) } ?? .string("\(identity)")
    }
  }
}

extension CellValue {
  /// Null, in a column of the same kind.
  var null: CellValue {
    switch self {
    case .content: .content(.null)
    case .row: .row(nil)
    }
  }
}

extension [CellValue] {
  /// Returns the values with other values of some columns.
  func replacing(_ columns: [Int], with value: (CellValue) -> CellValue) -> [CellValue] {
    var values = self
    for column in columns { values[column] = value(values[column]) }
    return values
  }
}

extension FetchedRow {
  package var cellValues: [CellValue] {
    attributes.map { .content($0) } + targets.map { .row($0) }
  }
}

extension ContextGraph {
  /// Returns the values of a row's columns.
  func cellValues(_ values: RowValues) -> [CellValue] {
    values.attributes.map { .content($0) }
      + values.targets.map { .row($0.map { records[$0].identity }) }
  }

  /// Returns the visible values of a row's columns, or nil for a fault.
  func visibleCellValues(of row: Int) -> [CellValue]? {
    guard var values = records[row].current else { return nil }
    values.targets = visibleTargets(values.targets, of: entity(of: row))
    return cellValues(values)
  }
}
