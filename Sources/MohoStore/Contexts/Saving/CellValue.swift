import MohoMapping

/// What a column of a row holds: a value, or the row that a link leads to.
enum CellValue: Hashable, Sendable {
  case content(ExactContent)
  case row(RowIdentity?)

  /// The value as the column has it, and as messages show it.
  var content: FieldContent {
    switch self {
    case .content(let value): value.content
    case .row(nil): .null
    case .row(let identity?):
      identity.stored.map { .int64($0) } ?? .string("\(identity)")
    }
  }
}

extension EntityLayout {
  /// The names of the columns, attributes first.
  var columnNames: [String] { entity.attributes.map(\.name) + columns.map(\.name) }
}

extension FetchedRow {
  var cellValues: [CellValue] {
    attributes.map { .content(ExactContent($0)) } + targets.map { .row($0) }
  }
}

extension ContextGraph {
  /// What the columns of a row hold, by what the context had or has of it.
  func cellValues(_ values: RowValues) -> [CellValue] {
    values.attributes.map { .content(ExactContent($0)) }
      + values.targets.map { .row($0.map { records[$0].identity }) }
  }
}
