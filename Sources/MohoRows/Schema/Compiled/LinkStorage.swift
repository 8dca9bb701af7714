/// The way a store stores the links of a relationship, from the perspective of
/// one end.
package enum LinkStorage: Sendable, Hashable {
  /// A column of the entity's own table stores the identity of the linked row.
  /// The column has the name of the relationship.
  case column
  /// A column of the destination's table stores the identity. The column has
  /// the name of the inverse. An ordered relationship has an additional column
  /// for the position among the rows of an owner.
  case inverseColumn(String, position: String?)
  /// A link table stores the links.
  case table(LinkTable, end: LinkTable.End)
}

/// The table of a to-many relationship whose inverse is not a to-one
/// relationship.
package struct LinkTable: Sendable, Hashable {
  /// The two ends of a link.
  package enum End: String, Sendable {
    case source, target
  }

  package let name: String
  /// The entity at the source end, which declares the relationship.
  package let source: String
  package let relationship: String
  package let target: String
  /// Whether the targets of a source are ordered, and whether the sources of a
  /// target are ordered.
  package let isOrdered: Bool
  let isInverseOrdered: Bool

  /// Returns the name of the column with the identities of an end.
  package static func column(_ end: End) -> String { end.rawValue }

  /// Returns the column with the position of the row at the other end, or nil
  /// if the rows at that end are not ordered.
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
  /// rows have identities assigned by the engine.
  package let identityColumn: String?
  /// The columns in table order, without an identity column that is not an
  /// attribute.
  package let columns: [TableColumn]
  /// The indexes of the columns that store the identities of linked rows.
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
    /// The position of the row among the rows of its owner.
    case position(of: String)
  }

  package let name: String
  package let content: Content
}

extension LinkTable {
  /// The columns of the table: both ends, followed by positions.
  package var table: CompiledTable {
    let ends = [(End.source, source), (.target, target)].map { end, entity in
      TableColumn(name: Self.column(end), content: .link(to: entity))
    }
    let positions = [End.source, .target].compactMap { end in
      positionColumn(for: end).map { TableColumn(name: $0, content: .position(of: relationship)) }
    }
    return CompiledTable(name: name, identityColumn: nil, columns: ends + positions)
  }

  /// Returns the indexes of the table columns that make up a link, from the
  /// perspective of one end.
  ///
  /// - Parameter isOrdered: Whether to include the position at the other end.
  package func comparedColumns(for end: End, isOrdered: Bool) -> [Int] {
    let position = isOrdered ? positionColumn(for: end) : nil
    return [0, 1] + (position.flatMap { table.columnNames.firstIndex(of: $0) }.map { [$0] } ?? [])
  }
}
