/// How a store stores the links of a relationship, seen from one of its ends.
package enum LinkStorage: Sendable, Hashable {
  /// In a column of the entity's own table that has the relationship's name: the
  /// identity of the row at the other end.
  case column
  /// In a column of the destination's table that has the inverse's name. An
  /// ordered relationship has another column there, for the position among the
  /// rows of one owner.
  case inverseColumn(String, position: String?)
  /// In a link table.
  case table(LinkTable, end: LinkTable.End)
}

/// A table of links: of a relationship to many whose inverse is not to one.
package struct LinkTable: Sendable, Hashable {
  /// The two ends of a link.
  package enum End: String, Sendable {
    case source, target
  }

  package let name: String
  /// The entity at the source, which declares the relationship.
  package let source: String
  package let relationship: String
  package let target: String
  /// Whether the targets of a source are ordered, and the sources of a target.
  package let isOrdered: Bool
  let isInverseOrdered: Bool

  /// The column with the identities of an end.
  package static func column(_ end: End) -> String { end.rawValue }

  /// The column with the position of the row at the other end, or nil if those
  /// are not ordered.
  package func positionColumn(for end: End) -> String? {
    switch end {
    case .source: isOrdered ? "target_position" : nil
    case .target: isInverseOrdered ? "source_position" : nil
    }
  }
}

extension LinkTable.End {
  package var other: LinkTable.End { self == .source ? .target : .source }
}

/// The columns of an entity's table or of a link table.
package struct CompiledTable: Sendable {
  package let name: String
  /// The column with the identities of the rows, or nil for a link table, whose
  /// rows have the identity that the engine gives them.
  package let identityColumn: String?
  /// The columns in table order. An identity column that is not an attribute is
  /// not among them.
  package let columns: [TableColumn]
  /// The indexes of the columns that store the identity of a linked row.
  package let linkColumns: [Int]

  package var columnNames: [String] { columns.map(\.name) }

  init(name: String, identityColumn: String?, columns: [TableColumn]) {
    self.name = name
    self.identityColumn = identityColumn
    self.columns = columns
    linkColumns = columns.indices.filter {
      if case .link = columns[$0].content { true } else { false }
    }
  }
}

/// A column of a table.
package struct TableColumn: Sendable {
  package enum Content: Sendable {
    case attribute(AttributeType)
    /// The identity of a row of an entity.
    case link(to: String)
    /// The position of the row among those that a relationship leads back from.
    case position(of: String)
  }

  package let name: String
  package let content: Content
}

extension LinkTable {
  /// The table's columns: both ends, then positions.
  package var table: CompiledTable {
    let ends = [(End.source, source), (.target, target)].map { end, entity in
      TableColumn(name: Self.column(end), content: .link(to: entity))
    }
    let positions = [End.source, .target].compactMap { end in
      positionColumn(for: end).map { TableColumn(name: $0, content: .position(of: relationship)) }
    }
    return CompiledTable(name: name, identityColumn: nil, columns: ends + positions)
  }

  /// The indexes of the table's columns that make up a link, seen from one end.
  ///
  /// - Parameter isOrdered: Whether the position at the other end is one of
  ///   them.
  package func comparedColumns(for end: End, isOrdered: Bool) -> [Int] {
    let position = isOrdered ? positionColumn(for: end) : nil
    return [0, 1] + (position.flatMap { table.columnNames.firstIndex(of: $0) }.map { [$0] } ?? [])
  }
}
