package import MohoMapping

/// The value of a column of a row: a content, or the row that a link leads to.
package enum CellValue: Hashable, Sendable {
  case content(ExactContent)
  case row(RowIdentity?)

  /// The value in the column, and in messages.
  package var content: FieldContent {
    switch self {
    case .content(let value): value.content
    case .row(nil): .null
    case .row(let identity?):
      identity.stored.map { .int64($0) } ?? .string("\(identity)")
    }
  }
}

extension FetchedRow {
  package var cellValues: [CellValue] {
    attributes.map { .content(ExactContent($0)) } + targets.map { .row($0) }
  }
}

extension ContextGraph {
  /// The values of the columns of a row.
  func cellValues(_ values: RowValues) -> [CellValue] {
    values.attributes.map { .content(ExactContent($0)) }
      + values.targets.map { .row($0.map { records[$0].identity }) }
  }
}
