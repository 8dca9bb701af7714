import GRDBSQLite
import MohoMapping
import MohoRows

/// Reads rows for contexts from the columns of a statement. The columns are the
/// identity, the attributes and the to-one links, in this order.
struct RowColumns {
  let entity: CompiledEntity
  let schema: CompiledSchema

  /// Returns the select list with qualified names.
  func selection(from table: String) -> [String] {
    let names = entity.attributes.map(\.name) + entity.linkColumns.map(\.name)
    return ([entity.identityColumn] + names).map { "\(quotedName(table)).\(quotedName($0))" }
  }

  /// Returns the current row of a statement.
  ///
  /// - Parameter first: The index of the row's first column.
  /// - Throws: A `StoreError` if a value does not have the type of its
  ///   attribute.
  func row(_ statement: OpaquePointer, from first: Int = 0) throws -> FetchedRow {
    let identity = sqlite3_column_int64(statement, Int32(first))
    var column = first + 1
    var attributes: [FieldContent] = []
    attributes.reserveCapacity(entity.attributes.count)
    for attribute in entity.attributes {
      let copy = StoredValue(statement, Int32(column))
      guard let value = copy.content(as: ValueType(attribute.type)) else {
        throw StoreError(
          .damaged,
          subject: "`\(entity.name)` \(identity)",
          reason: "the column `\(attribute.name)` holds no \(attribute.type.rawValue)")
      }
      attributes.append(value)
      column += 1
    }
    var targets: [RowIdentity?] = []
    for relationship in entity.linkColumns {
      let value = SQLiteValue(statement, Int32(column))
      targets.append(
        value.isNull
          ? nil
          : RowIdentity(
            entity: schema.entities[relationship.destination].name, stored: value.int64))
      column += 1
    }
    return FetchedRow(
      identity: RowIdentity(entity: entity.name, stored: identity), attributes: attributes,
      targets: targets)
  }
}
