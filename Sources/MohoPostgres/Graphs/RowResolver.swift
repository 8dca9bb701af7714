import MohoMapping
import MohoRows

/// Finds the identities of rows by their unique keys, with one statement for
/// many keys of an entity.
final class RowResolver {
  private let connection: PostgresConnection
  private let schema: CompiledSchema
  /// The identities of rows that exist, by the index of the entity.
  private var known: [Int: [UniqueKey: Int64]] = [:]

  init(_ connection: PostgresConnection, _ schema: CompiledSchema) {
    self.connection = connection
    self.schema = schema
  }

  /// Records that a row exists.
  func record(_ key: FieldContent, _ id: Int64, of entity: CompiledEntity) {
    guard !entity.isKeyedByIdentity, let key = UniqueKey(key) else { return }
    known[entity.index, default: [:]][key] = id
  }

  /// Forgets all rows, because rows may have been deleted.
  func removeAll() { known = [:] }

  /// Returns the identities of the rows with the given keys. Nil for keys
  /// without a row.
  ///
  /// - Parameter isVerified: Whether rows whose key is their identity are looked
  ///   up, too.
  func identities(
    of keys: [FieldContent], in entity: CompiledEntity, isVerified: Bool = false
  ) throws -> [Int64?] {
    if entity.identifying.isEmpty { return keys.map { _ in nil } }
    if entity.isKeyedByIdentity {
      let identities = keys.map { content -> Int64? in
        if case .int64(let id) = content { id } else { nil }
      }
      guard isVerified, identities.contains(where: { $0 != nil }) else { return identities }
      var arguments = PostgresArguments()
      arguments.append(Set(identities.compactMap { $0 }))
      let result = try connection.query(
        "SELECT \(quotedName(entity.identityColumn)) FROM \(quotedName(entity.name))"
          + " WHERE \(quotedName(entity.identityColumn)) = ANY ($1::int8[])", arguments)
      let stored = Set(result.rows.map { $0.int64(0) })
      return identities.map { $0.flatMap { stored.contains($0) ? $0 : nil } }
    }
    let unique = keys.map { UniqueKey($0) }
    var wanted: [UniqueKey: FieldContent] = [:]
    for (key, content) in zip(unique, keys) {
      if let key, known[entity.index]?[key] == nil { wanted[key] = content }
    }
    if !wanted.isEmpty { try load(Array(wanted), in: entity) }
    return unique.map { $0.flatMap { known[entity.index]?[$0] } }
  }

  private func load(
    _ keys: [(key: UniqueKey, value: FieldContent)], in entity: CompiledEntity
  ) throws {
    let rows = try keyRows(keys.map(\.value), of: entity)
    let columns = IdentifyingColumns(entity, schema)
    let result = try connection.query(
      "SELECT i.n, s.\(quotedName(entity.identityColumn))"
        + " FROM \(RowArrays.source(columns.types, as: "i"))"
        + " CROSS JOIN LATERAL (SELECT * FROM \(quotedName(entity.name)) AS t"
        + " WHERE \(columns.condition("t", "i")) LIMIT 1) AS s",
      rows.arguments, isPrepared: rows.isPrepared)
    for row in result.rows {
      known[entity.index, default: [:]][keys[Int(row.int64(0)) - 1].key] = row.int64(1)
    }
  }

  /// Returns the values of the columns that identify rows. Columns of a key that
  /// is null or contains an unknown row are null.
  ///
  /// - Throws: A `MappingError` if a key has another number of values.
  func keyRows(_ keys: [FieldContent], of entity: CompiledEntity) throws -> RowArrays {
    let columns = IdentifyingColumns(entity, schema)
    let types = columns.types
    var parts: [[FieldContent]] = types.map { _ in [] }
    for key in keys {
      for (index, value) in try columns.values(of: key).enumerated() { parts[index].append(value) }
    }
    var rows = RowArrays(types)
    for (index, column) in entity.identifying.enumerated() {
      if case .slot(let slot) = column {
        let target = schema.entities[entity.linkColumns[slot].destination]
        for id in try identities(of: parts[index], in: target) {
          if let id { rows.columns[index].append(id) } else { rows.columns[index].appendNull() }
        }
      } else {
        for value in parts[index] { try rows.columns[index].append(value) }
      }
    }
    for _ in keys { rows.endRow() }
    return rows
  }

  /// Returns the error for a reference to a row that does not exist.
  ///
  /// - Parameter label: The key that refers to the row.
  static func dangling(_ key: FieldContent, _ label: String, _ entity: CompiledEntity) -> StoreError
  {
    var texts: [String] = []
    key.forEachIdentityPart { part in
      switch part {
      case .string(let text): texts.append(quoted(text))
      case .int64(let value): texts.append("\(value)")
      default: texts.append("\(part)")
      }
    }
    let text = texts.count == 1 ? texts[0] : "[\(texts.joined(separator: ", "))]"
    return StoreError(referenceBy: label, to: entity.name, text)
  }
}

extension IdentifyingColumns {
  var types: [PostgresType] {
    entity.identifying.map { column in
      switch column {
      case .attribute(let index): PostgresType(entity.attributes[index].type)
      case .slot: .int8
      }
    }
  }

  /// The condition that a row of a table has the key of a row of arrays.
  func condition(_ table: String, _ arrays: String) -> String {
    names.enumerated().map { "\(table).\($1) = \(arrays).c\($0)" }.joined(separator: " AND ")
  }
}
