import MohoMapping
import MohoRows

/// Reads rows for contexts from the columns of a statement. The columns are the
/// identity, the attributes and the to-one links, in this order.
struct RowColumns {
  let entity: CompiledEntity
  private let destinations: [String]
  private let types: [PostgresType]

  init(entity: CompiledEntity, schema: CompiledSchema) {
    self.entity = entity
    destinations = entity.linkColumns.map { schema.entities[$0.destination].name }
    types = entity.attributes.map { PostgresType($0.type) }
  }

  /// Returns the select list with qualified names.
  func selection(from table: String) -> [String] {
    ([entity.identityColumn] + entity.columnNames).map {
      "\(quotedName(table)).\(quotedName($0))"
    }
  }

  /// - Parameter first: The index of the row's first column.
  /// - Throws: A `StoreError` if the model cannot represent a value of the
  ///   database.
  func row(_ row: PostgresRow, from first: Int = 0) throws -> FetchedRow {
    let identity = row.int64(first)
    var column = first + 1
    var attributes: [FieldContent] = []
    attributes.reserveCapacity(types.count)
    for type in types {
      do {
        attributes.append(try row.content(column, as: type))
      } catch let error as MappingError {
        throw StoreError(
          .damaged, subject: "`\(entity.name)` \(identity)",
          reason: "the column `\(entity.columnNames[column - first - 1])` holds \(error)")
      }
      column += 1
    }
    var targets: [RowIdentity?] = []
    for destination in destinations {
      targets.append(
        row.optionalInt64(column).map { RowIdentity(entity: destination, stored: $0) })
      column += 1
    }
    return FetchedRow(
      identity: RowIdentity(entity: entity.name, stored: identity), attributes: attributes,
      targets: targets)
  }
}
