import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

/// Writes the links of one relation that are stored in other rows or in a link
/// table.
///
/// The writer collects the links of models in temporary tables, row by row.
/// Then a few statements update the stored links. Their number does not depend
/// on the number of links.
final class LinkWriter: LinkRowWriter {
  let link: NodeLink
  private let target: ModelNode
  private let database: Database
  private let wholeSchema: Schema
  private var schema: CompiledSchema { wholeSchema.compiled }
  private let failures: WriteFailures
  private let source: RowTerm
  private let member: RowTerm
  private let addOwner: PreparedStatement
  private let forgetMembers: PreparedStatement
  private let addMember: PreparedStatement
  /// The number of collected members, including repeated ones.
  private var memberCount: Int64 = 0

  /// The names of the temporary tables.
  let owners: String
  let saved: String

  init(
    _ link: NodeLink, of node: ModelNode, _ schema: Schema, _ database: Database,
    _ failures: WriteFailures
  ) throws {
    self.link = link
    self.database = database
    wholeSchema = schema
    self.failures = failures
    let schema = schema.compiled
    target = try schema.node(of: link.target)
    owners = "temp.\(quotedName("_moho_owners \(link.label)"))"
    saved = "temp.\(quotedName("_moho_saved \(link.label)"))"
    let isStoredInMembers = if case .inverseColumn = link.storage { true } else { false }
    // A row that stores the link in a column has only one owner, which is the
    // last one.
    let uniqueness = isStoredInMembers ? "UNIQUE (target), " : ""
    try execute(
      """
      CREATE TEMP TABLE IF NOT EXISTS \(owners.dropFirst(5)) (source INTEGER PRIMARY KEY);
      CREATE TEMP TABLE IF NOT EXISTS \(saved.dropFirst(5)) (
        source INTEGER NOT NULL, target INTEGER NOT NULL, position INTEGER,
        \(uniqueness)PRIMARY KEY (source, target)) WITHOUT ROWID;
      DELETE FROM \(owners);
      DELETE FROM \(saved);
      """, on: database)
    source = RowTerm(node, link.label, schema, first: 1)
    member = RowTerm(target, link.label, schema, first: source.next, isVerified: isStoredInMembers)
    addOwner = try PreparedStatement(
      database, "INSERT OR IGNORE INTO \(owners) VALUES (\(source.sql))", reusesMemory: true)
    forgetMembers = try PreparedStatement(
      database, "DELETE FROM \(saved) WHERE source = \(source.sql)", reusesMemory: true)
    let values = "(\(source.sql), \(member.sql), ?\(member.next))"
    var addition = "INSERT OR REPLACE INTO \(saved) VALUES \(values)"
    if link.relation.addsLinks {
      // A repeated member retains its position.
      addition = "INSERT INTO \(saved) VALUES \(values) ON CONFLICT (source, target) DO NOTHING"
      if isStoredInMembers {
        addition += """
           ON CONFLICT (target) DO UPDATE SET (source, position) = \
          (excluded.source, excluded.position)
          """
      }
    }
    addMember = try PreparedStatement(database, addition, reusesMemory: true)
  }

  func save(_ rows: [GraphRow]) throws {
    for row in rows {
      do {
        try save(row, row.members[link.index] ?? [])
      } catch let error as DatabaseError {
        var failure = StoreError(error, subject: row.description, schema: wholeSchema)
        guard failure.isAboutRow else { throw error }
        failure.name(row)
        try failures.add(failure, at: row.path)
      }
    }
  }

  private func save(_ owner: GraphRow, _ members: [RowTarget]) throws {
    addOwner.clearBindings()
    try source.bind(.row(owner), to: addOwner)
    try addOwner.execute()
    let isRepeated = addOwner.changesCount == 0
    if isRepeated, !link.relation.addsLinks {
      forgetMembers.clearBindings()
      try source.bind(.row(owner), to: forgetMembers)
      try forgetMembers.execute()
    }
    let first = isRepeated && link.relation.addsLinks ? memberCount : 0
    memberCount += Int64(members.count)
    for (position, row) in members.enumerated() {
      addMember.clearBindings()
      try source.bind(.row(owner), to: addMember)
      try member.bind(row, to: addMember)
      try addMember.bind(first + Int64(position), at: member.next)
      try addMember.execute()
    }
  }

  func write(_ report: inout SaveReport) throws {
    switch link.storage {
    case .column: break
    case .inverseColumn(let column, let position):
      try write(column: quotedName(column), position: position.map { quotedName($0) }, &report)
    case .table(let table, let end):
      try write(table: table, end: end, &report)
    }
    try execute("DELETE FROM \(owners); DELETE FROM \(saved);", on: database)
  }

  private func write(column: String, position: String?, _ report: inout SaveReport) throws {
    let table = quotedName(target.name)
    let positions = position.map { ", \($0) = NULL" } ?? ""
    let removed = """
      \(column) IN (SELECT source FROM \(owners)) \
      AND \(target.identity) NOT IN (SELECT target FROM \(saved))
      """
    switch link.relation.linkPolicy {
    case .merge: break
    case .replace(.unlink):
      report.unlinked += try run(
        "UPDATE \(table) SET \(column) = NULL\(positions) WHERE \(removed)")
    case .replace(.delete):
      report.deleted += try delete(where: removed)
    }
    if link.relationship.isOneToOne {
      // Unlink rows that exchange owners first, because the links are unique.
      _ = try run(
        """
        UPDATE \(table) SET \(column) = NULL WHERE \(column) IN (SELECT source FROM \(saved)) \
        AND (\(column), \(target.identity)) NOT IN (SELECT source, target FROM \(saved))
        """)
    }
    let (values, isDifferent) = assignments(column, position, table)
    report.linked += try run(
      """
      UPDATE \(table) SET \(column) = _moho_saved.source\(values) FROM \(saved) AS _moho_saved \
      WHERE \(table).\(target.identity) = _moho_saved.target AND (\(isDifferent))
      """)
  }

  /// Returns additional assignments and the condition of the update.
  private func assignments(
    _ column: String, _ position: String?, _ table: String
  ) -> (values: String, condition: String) {
    let isDifferent = "\(table).\(column) IS NOT _moho_saved.source"
    guard let position else { return ("", isDifferent) }
    if case .merge = link.relation.linkPolicy {
      let last =
        "SELECT max(o.\(position)) FROM \(table) AS o WHERE o.\(column) = _moho_saved.source"
      return (
        ", \(position) = coalesce((\(last)), -1) + 1 + _moho_saved.position",
        "\(isDifferent) OR \(table).\(position) IS NULL"
      )
    }
    return (
      ", \(position) = _moho_saved.position",
      "\(isDifferent) OR \(table).\(position) IS NOT _moho_saved.position"
    )
  }

  private func write(
    table: LinkTable, end: LinkTable.End, _ report: inout SaveReport
  ) throws {
    let (near, far) = (LinkTable.column(end), LinkTable.column(end.other))
    let name = quotedName(table.name)
    let position = table.positionColumn(for: end)
    let value: String
    var conflict = "NOTHING"
    switch (position, link.relation.linkPolicy) {
    case (nil, _): value = ""
    case (let position?, .merge):
      value =
        ", coalesce((SELECT max(o.\(position)) FROM \(name) AS o WHERE o.\(near) = _moho_saved.source), -1)"
        + " + 1 + _moho_saved.position"
    case (let position?, .replace):
      value = ", _moho_saved.position"
      conflict =
        "UPDATE SET \(position) = excluded.\(position) WHERE \(position) IS NOT excluded.\(position)"
    }
    report.linked += try run(
      """
      INSERT INTO \(name) (\(near), \(far)\(position.map { ", \($0)" } ?? "")) \
      SELECT _moho_saved.source, _moho_saved.target\(value) FROM \(saved) AS _moho_saved WHERE true \
      ON CONFLICT (source, target) DO \(conflict)
      """)
    // Remove links after adding new ones, so that rows that are still linked
    // are not deleted.
    if case .replace(let removed) = link.relation.linkPolicy {
      let condition = """
        WHERE \(near) IN (SELECT source FROM \(owners)) \
        AND (\(near), \(far)) NOT IN (SELECT source, target FROM \(saved))
        """
      if removed == .delete {
        // Foreign keys also delete the links.
        report.deleted += try delete(
          where: """
            \(target.identity) IN \
            (SELECT \(far) FROM \(name) \(condition)) AND NOT EXISTS \
            (SELECT 1 FROM \(name) AS o WHERE o.\(far) = \(quotedName(target.name)).\(target.identity) \
            AND (o.\(near) NOT IN (SELECT source FROM \(owners)) \
            OR (o.\(near), o.\(far)) IN (SELECT source, target FROM \(saved))))
            """)
      }
      report.unlinked += try run("DELETE FROM \(name) \(condition)")
    }
  }

  private func run(_ sql: String) throws -> Int {
    try naming {
      try database.cachedStatement(sql: sql).execute()
      return database.changesCount
    }
  }

  /// Deletes rows at the other end, and returns their number.
  private func delete(where condition: String) throws -> Int {
    try naming { try database.delete(target.entity, where: condition, schema) }
  }

  /// Runs a closure, and adds the key to its errors.
  private func naming(_ body: () throws -> Int) throws -> Int {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw StoreError(error, subject: "`\(link.label)`")
    }
  }
}

/// Runs statements without GRDB. GRDB would discard its cached statements when
/// temporary tables are created, and would store the events of a savepoint in
/// memory.
func execute(_ sql: String, on database: Database) throws {
  let code = sqlite3_exec(database.sqliteConnection, sql, nil, nil, nil)
  guard code == SQLITE_OK else {
    throw DatabaseError(
      resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage, sql: sql)
  }
}
