package import MohoMapping

/// The columns that a query selects to read each row as a ``FetchedRow``: the
/// attributes, the to-one links and the identity, in this order.
package struct FetchedColumns {
  package let entity: CompiledEntity
  /// The types of all columns of the query.
  package let types: [ValueType]
  private let destinations: [String]
  private let others: [String]

  /// - Parameter others: Expressions of integers, which are selected before the
  ///   identity.
  package init(
    _ entity: CompiledEntity, _ schema: CompiledSchema, selecting others: [String] = []
  ) {
    self.entity = entity
    self.others = others
    destinations = entity.linkColumns.map { schema.entities[$0.destination].name }
    let integerCount = destinations.count + others.count + 1
    types =
      entity.attributes.map { ValueType($0.type) }
      + Array(repeating: .integer, count: integerCount)
  }

  /// Returns the select list with qualified names.
  package func selection(from table: String) -> [String] {
    func column(_ name: String) -> String { "\(quotedName(table)).\(quotedName(name))" }
    return entity.columnNames.map(column) + others + [column(entity.identityColumn)]
  }

  /// Returns the rows of a query, in its order.
  ///
  /// - Parameter read: Calls its argument with the values of each row.
  /// - Throws: A ``StoreError`` if a value does not have the type of its
  ///   attribute.
  package func rows(
    _ read: (_ row: (inout [FieldContent]) throws -> Void) throws -> Void
  ) throws -> [FetchedRow] {
    var rows: [FetchedRow] = []
    try reportingDamage { try read { rows.append(row(taking: &$0).row) } }
    return rows
  }

  /// Calls a closure that reads rows.
  ///
  /// - Throws: A ``StoreError`` instead of an ``UnreadableValue``.
  func reportingDamage(_ read: () throws -> Void) throws {
    do {
      try read()
    } catch let value as UnreadableValue {
      let isNamed = value.column < entity.columnNames.count
      let name = isNamed ? entity.columnNames[value.column] : entity.identityColumn
      throw StoreError(
        .damaged, subject: "`\(entity.name)` \(value.identity)",
        reason: "the column `\(name)` holds \(value.error.found ?? "another value"),"
          + " expected \(value.error.expected ?? "a value of its type")")
    }
  }

  /// Removes the values of a row, and returns the row and the other integers.
  func row(taking values: inout [FieldContent]) -> (row: FetchedRow, others: [Int64?]) {
    let identity = values.removeLast().signedInteger ?? 0
    let integers = values[entity.attributes.count...].map(\.signedInteger)
    values.removeSubrange(entity.attributes.count...)
    let targets = zip(destinations, integers).map { destination, integer in
      integer.map { RowIdentity(entity: destination, stored: $0) }
    }
    let attributes = values
    // The row takes the memory of the array.
    values = []
    let row = FetchedRow(
      identity: RowIdentity(entity: entity.name, stored: identity), attributes: attributes,
      targets: targets)
    return (row, Array(integers[destinations.count...]))
  }
}
