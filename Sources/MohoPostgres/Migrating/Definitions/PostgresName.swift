import MohoMapping
import MohoRows

/// The names of the constraints, indexes and triggers that a store creates.
///
/// PostgreSQL truncates names to 63 bytes. Longer generated names are shortened
/// so that different names remain different.
enum PostgresName {
  /// The largest number of bytes of a name.
  static let limit = 63

  static func primaryKey(of table: String) -> String { fitting("\(table) key") }

  static func unique(_ columns: [String], of table: String) -> String {
    fitting("\(table)(\(columns.joined(separator: ","))) unique")
  }

  /// The name of an index that ``CompiledSchema/indexes`` names.
  static func index(_ name: String) -> String { fitting(name) }

  /// The name of a check constraint. It differs from the name of a foreign key,
  /// because no key is both an attribute and a relationship.
  static func check(_ column: String) -> String { column }

  static func foreignKey(_ column: String) -> String { column }

  static let deleteTriggerPrefix = "Moho delete rule "

  /// The trigger that implements the delete rule of a relationship.
  ///
  /// PostgreSQL fires triggers in the order of their names. The triggers of
  /// foreign keys start with `RI_`. They must fire later, because they delete
  /// the links that this trigger reads.
  static func deleteTrigger(_ relationship: String) -> String {
    fitting(deleteTriggerPrefix + relationship)
  }

  /// The relationship whose delete rule a trigger implements. Long names are
  /// incomplete.
  static func relationship(ofDeleteTrigger name: String) -> String {
    String(name.dropFirst(deleteTriggerPrefix.count))
  }

  /// The function of the trigger that implements a delete rule.
  static func deleteFunction(_ relationship: String, of entity: String) -> String {
    fitting(ReservedName.deleteTrigger(of: relationship, in: entity))
  }

  private static func fitting(_ name: String) -> String {
    guard name.utf8.count > limit else { return name }
    let suffix = "~" + stableHash(name)
    var prefix = Substring(name)
    while prefix.utf8.count + suffix.utf8.count > limit { prefix.removeLast() }
    return prefix + suffix
  }
}

extension Schema {
  /// Checks that PostgreSQL can store the tables of the schema.
  ///
  /// - Throws: A `StoreError` with the code `invalidSchema` that lists all
  ///   issues.
  func checkPostgresNames() throws {
    var issues: [String] = []
    func check(_ name: String, _ label: String) {
      guard name.utf8.count > PostgresName.limit else { return }
      issues.append(
        "\(label) has \(name.utf8.count) bytes, of which PostgreSQL stores \(PostgresName.limit)")
    }
    for table in compiled.tables {
      check(table.name, "the table name `\(table.name)`")
      for column in table.columns {
        check(column.name, "the column name `\(table.name).\(column.name)`")
        if systemColumns.contains(column.name) {
          issues.append("`\(table.name).\(column.name)` has the name of a system column")
        }
      }
    }
    for attribute in entities.flatMap({ entity in entity.attributes.map { (entity.name, $0) } }) {
      let contents = attribute.1.constraints.flatMap(\.contents) + [attribute.1.defaultValue]
      let hasNull = contents.contains { content in
        if case .string(let text) = content { text.utf8.contains(0) } else { false }
      }
      guard hasNull else { continue }
      issues.append(
        "`\(attribute.0).\(attribute.1.name)` has a default or a constraint with a null character,"
          + " which PostgreSQL cannot store")
    }
    guard issues.isEmpty else {
      throw StoreError(.invalidSchema, reason: issues.joined(separator: "; "))
    }
  }
}

private let systemColumns: Set = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]

extension AttributeConstraint {
  fileprivate var contents: [FieldContent?] {
    switch self {
    case .minimum(let value), .maximum(let value): [value]
    case .oneOf(let values): values
    case .length: []
    }
  }
}
