import Foundation
import MohoMapping
import MohoRows

private let batchSize = 1_000

extension ColumnTransform {
  /// Transforms the values in batches.
  ///
  /// If the new values have another type or another key, they are written to a
  /// new column, which then replaces the old one.
  func run(
    _ connection: PostgresConnection, _ stored: StoredSchema, _ names: FinalNames,
    progress: (Int) throws -> Void
  ) throws {
    guard let table = stored.table(entity), stored.isOwned(entity) else {
      throw StoreError.missingEntity(entity)
    }
    guard let column = table.column(key), let oldType = PostgresType(column: column.type) else {
      throw missingColumnError
    }
    let declared = names.attribute(newKey, of: entity)
    guard let identity = table.identityColumn, identity != key, identity != newKey,
      declared?.isIdentity != true
    else {
      throw identityError
    }
    let type =
      declared.map { PostgresType($0.attribute.type) }
      ?? table.column(newKey).flatMap { PostgresType(column: $0.type) } ?? oldType
    let columnType =
      declared.map { PostgresColumns().columnType(of: $0.attribute.type) } ?? column.type
    let isReplaced = newKey == key && columnType != column.type
    let destination = isReplaced ? ReservedName.interimColumn(newKey) : newKey
    let name = quotedName(table.name)
    if isReplaced || table.column(newKey) == nil {
      try connection.execute(
        "ALTER TABLE \(name) ADD COLUMN \(quotedName(destination)) \(columnType)")
    }
    try write(
      connection, from: (column.name, oldType), to: (destination, type), of: name, identity,
      progress)
    guard isReplaced else { return }
    if let view = stored.dependents.first(where: { $0.table == table.name && $0.column == key }) {
      throw StoreError(
        .migrationFailed, entity: entity, keys: [key],
        reason: "the view `\(view.name)` reads `\(entity).\(key)`", suggestion: view.advice)
    }
    try connection.execute("ALTER TABLE \(name) DROP COLUMN \(quotedName(key))")
    try connection.execute(
      "ALTER TABLE \(name) RENAME COLUMN \(quotedName(destination)) TO \(quotedName(newKey))")
  }

  private func write(
    _ connection: PostgresConnection, from old: (column: String, type: PostgresType),
    to new: (column: String, type: PostgresType), of name: String, _ identity: String,
    _ progress: (Int) throws -> Void
  ) throws {
    let identity = quotedName(identity)
    let select = """
      SELECT \(identity)::int8, \(quotedName(old.column)) FROM \(name)
      WHERE \(identity) >= $1 ORDER BY \(identity) LIMIT \(batchSize)
      """
    let update = """
      UPDATE \(name) SET \(quotedName(new.column)) = new.value
      FROM unnest($1, $2) new (identity, value) WHERE \(name).\(identity) = new.identity
      """
    var (next, count): (Int64?, Int) = (.min, 0)
    while let first = next {
      next = nil
      var arguments = PostgresArguments()
      arguments.append(first)
      var identities: [Int64] = []
      var values = PostgresArray(new.type)
      for row in try connection.query(select, arguments).rows {
        let value = try transform(row.content(1, as: old.type).neutral)
        identities.append(row.int64(0))
        do {
          try values.append(value.converted(to: new.type))
        } catch {
          var failure =
            error as? StoreError
            ?? StoreError(.invalidValue, reason: "\(error)", underlying: error)
          failure.entity = entity
          failure.keys = [newKey]
          throw failure
        }
        count += 1
        next = row.int64(0) == .max ? nil : row.int64(0) + 1
      }
      if identities.isEmpty { return }
      arguments = PostgresArguments()
      arguments.append(identities)
      arguments.append(values)
      try connection.query(update, arguments)
      try progress(count)
    }
  }
}

extension PostgresType {
  /// The type of a column, or nil if no attribute has it.
  init?(column type: String) {
    let name = type.split(separator: " ", maxSplits: 1).first ?? ""
    guard let type = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = type
  }
}

extension FieldContent {
  /// The value in the form that migration steps of all engines exchange.
  var neutral: FieldContent {
    switch self {
    case .bool(let value): .int64(value ? 1 : 0)
    case .date(let value): .double(value.timeIntervalSinceReferenceDate)
    case .decimal(let value): .string("\(value)")
    default: self
    }
  }

  /// The value in the form that a column exchanges. Values that have no such form
  /// are returned unchanged and cause an error when they are written.
  fileprivate func converted(to type: PostgresType) -> FieldContent {
    switch (type, self) {
    case (.bool, .int64(let value)): .bool(value != 0)
    case (.float8, .int64(let value)): .double(Double(value))
    case (.float8, .uint64(let value)): .double(Double(value))
    case (.uint64, .string(let text)): UInt64(text).map { .uint64($0) } ?? self
    case (.timestamptz, .double(let value)):
      .date(Date(timeIntervalSinceReferenceDate: value))
    case (.timestamptz, .int64(let value)):
      .date(Date(timeIntervalSinceReferenceDate: Double(value)))
    case (.numeric, .int64(let value)): .decimal(Decimal(value))
    case (.numeric, .string(let text)):
      Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")).map { .decimal($0) } ?? self
    default: self
    }
  }
}
