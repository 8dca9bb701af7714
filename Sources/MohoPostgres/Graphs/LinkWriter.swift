import MohoMapping
import MohoRows

/// Writes the links of one relation that are stored in other rows or in a link
/// table.
///
/// The links of models are collected. Then a few statements update the stored
/// links in one round trip. Their number does not depend on the number of links.
final class LinkWriter: LinkRowWriter {
  let link: NodeLink
  private let target: ModelNode
  private let statements: PostgresGraphStatements
  private let isStoredInMembers: Bool

  private var owners: Set<Int64> = []
  /// The positions of the members, by owner and member.
  private var members: [Int64: [Int64: Int]] = [:]
  /// The owner of each member, if the member's row stores the link.
  private var ownerOfMember: [Int64: Int64] = [:]
  /// The number of collected members, including repeated ones.
  private var memberCount = 0

  init(_ link: NodeLink, _ target: ModelNode, _ statements: PostgresGraphStatements) {
    self.link = link
    self.target = target
    self.statements = statements
    isStoredInMembers = if case .inverseColumn = link.storage { true } else { false }
  }

  func save(_ rows: [GraphRow]) throws {
    // Nothing is written yet, but rows that do not exist are found.
    try statements.write(rows) {
      try collect($0)
    } failing: { error, row in
      try statements.failures.add(error, at: row.path)
    }
  }

  private func collect(_ rows: [GraphRow]) throws {
    let lists = rows.map { $0.members[link.index] ?? [] }
    let ids = try statements.identities(
      of: lists.flatMap { $0 }, link, isVerified: isStoredInMembers)
    var rest = ids[...]
    for (row, list) in zip(rows, lists) {
      guard let owner = row.rowID else { continue }
      let isRepeated = !owners.insert(owner).inserted
      if isRepeated, !link.relation.addsLinks {
        for member in members[owner, default: [:]].keys { ownerOfMember[member] = nil }
        members[owner] = nil
      }
      let first = isRepeated && link.relation.addsLinks ? memberCount : 0
      memberCount += list.count
      for position in list.indices {
        guard let member = rest.popFirst() ?? nil else { continue }
        // A repeated member retains its position.
        if link.relation.addsLinks, members[owner]?[member] != nil { continue }
        if isStoredInMembers, let former = ownerOfMember.updateValue(owner, forKey: member),
          former != owner
        {
          // A row that stores the link in a column has only one owner, which is
          // the last one.
          members[former]?[member] = nil
        }
        members[owner, default: [:]][member] = first + position
      }
    }
  }

  func write(_ report: inout SaveReport) throws {
    let steps: [Step] =
      switch link.storage {
      case .column: []
      case .inverseColumn(let column, let position):
        steps(column: quotedName(column), position: position.map { quotedName($0) })
      case .table(let table, let end): steps(table, end)
      }
    if !owners.isEmpty {
      do {
        for (step, result) in zip(steps, try results(of: steps)) {
          switch step.count {
          case .deleted where needsDeleter: report.deleted += result.rows.count
          case .deleted: report.deleted += result.affectedRows
          case .linked: report.linked += result.affectedRows
          case .unlinked: report.unlinked += result.affectedRows
          case nil: break
          }
        }
      } catch var error as StoreError {
        error.subject = error.subject ?? "`\(link.label)`"
        throw error
      }
    }
    owners = []
    members = [:]
    ownerOfMember = [:]
  }

  /// Whether cascades or denials make it necessary to read the rows to delete.
  private var needsDeleter: Bool { statements.session.schema.compiled.needsDeleter(target.entity) }

  private func results(of steps: [Step]) throws -> [PostgresResult] {
    guard needsDeleter else { return try statements.connection.queries(steps.map(\.query)) }
    return try steps.map { step in
      let result = try statements.connection.query(step.query)
      if case .deleted = step.count {
        try statements.session.delete(Array(result.rows.map { $0.int64(0) }), of: target.entity)
      }
      return result
    }
  }

  /// Returns the start of the statement that deletes rows, or reads those to
  /// delete.
  private func removal(as alias: String) -> String {
    let source = "FROM \(quotedName(target.name)) AS \(alias)"
    return needsDeleter ? "SELECT \(alias).\(target.identity) \(source)" : "DELETE \(source)"
  }

  private enum Count { case deleted, linked, unlinked }

  private struct Step {
    let count: Count?
    let query: PostgresQuery

    init(_ count: Count?, _ sql: String, _ arguments: PostgresArguments, isPrepared: Bool) {
      self.count = count
      query = PostgresQuery(sql, arguments, isPrepared: isPrepared)
    }
  }

  private var isPrepared: Bool {
    owners.count + ownerOfMember.count <= RowArrays.preparedCount
      && members.values.allSatisfy { $0.count <= RowArrays.preparedCount }
  }

  /// The owners, and the links with their positions.
  private var arguments: PostgresArguments {
    var arrays = (0..<3).map { _ in PostgresArray(.int8) }
    for owner in members.keys.sorted() {
      for (member, position) in members[owner, default: [:]].sorted(by: { $0.value < $1.value }) {
        arrays[0].append(owner)
        arrays[1].append(member)
        arrays[2].append(Int64(position))
      }
    }
    var arguments = PostgresArguments()
    arguments.append(owners.sorted())
    for array in arrays { arguments.append(array) }
    return arguments
  }

  /// The common table expressions for the arguments. All statements of a link
  /// have the same arguments.
  private static let input = """
    WITH owner AS (SELECT * FROM unnest($1::int8[]) AS o(id)), \
    saved AS (SELECT * FROM unnest($2::int8[], $3::int8[], $4::int8[]) \
    AS l(source, target, position))
    """

  private func steps(column: String, position: String?) -> [Step] {
    let (arguments, isPrepared, input) = (arguments, isPrepared, Self.input)
    let (table, id) = (quotedName(target.name), "s.\(target.identity)")
    let positions = position.map { ", \($0) = NULL" } ?? ""
    let removed = """
      s.\(column) IN (SELECT id FROM owner) \
      AND NOT EXISTS (SELECT FROM saved AS l WHERE l.target = \(id))
      """
    var steps: [Step] = []
    switch link.relation.linkPolicy {
    case .merge: break
    case .replace(.unlink):
      steps.append(
        Step(
          .unlinked,
          "\(input) UPDATE \(table) AS s SET \(column) = NULL\(positions) WHERE \(removed)",
          arguments, isPrepared: isPrepared))
    case .replace(.delete):
      steps.append(
        Step(
          .deleted, "\(input) \(removal(as: "s")) WHERE \(removed)", arguments,
          isPrepared: isPrepared))
    }
    if link.relationship.isOneToOne {
      // Unlink rows that exchange owners first, because the links are unique.
      steps.append(
        Step(
          nil,
          """
          \(input) UPDATE \(table) AS s SET \(column) = NULL \
          WHERE s.\(column) IN (SELECT source FROM saved) AND NOT EXISTS \
          (SELECT FROM saved AS l WHERE l.source = s.\(column) AND l.target = \(id))
          """, arguments, isPrepared: isPrepared))
    }
    let (values, isDifferent) = assignments(column, position, table)
    steps.append(
      Step(
        .linked,
        """
        \(input) UPDATE \(table) AS s SET \(column) = l.source\(values) FROM saved AS l \
        WHERE \(id) = l.target AND (\(isDifferent))
        """, arguments, isPrepared: isPrepared))
    return steps
  }

  /// Returns additional assignments and the condition of the update.
  private func assignments(
    _ column: String, _ position: String?, _ table: String
  ) -> (values: String, condition: String) {
    let isDifferent = "s.\(column) IS DISTINCT FROM l.source"
    guard let position else { return ("", isDifferent) }
    if case .merge = link.relation.linkPolicy {
      let last = "SELECT max(o.\(position)) FROM \(table) AS o WHERE o.\(column) = l.source"
      return (
        ", \(position) = coalesce((\(last)), -1) + 1 + l.position",
        "\(isDifferent) OR s.\(position) IS NULL"
      )
    }
    return (
      ", \(position) = l.position",
      "\(isDifferent) OR s.\(position) IS DISTINCT FROM l.position"
    )
  }

  private func steps(_ table: LinkTable, _ end: LinkTable.End) -> [Step] {
    let (arguments, isPrepared, input) = (arguments, isPrepared, Self.input)
    let (near, far) = (LinkTable.column(end), LinkTable.column(end.other))
    let name = quotedName(table.name)
    let position = table.positionColumn(for: end)
    var value = ""
    var conflict = "NOTHING"
    var isStored = "o.\(near) = l.source AND o.\(far) = l.target"
    switch (position, link.relation.linkPolicy) {
    case (nil, _): break
    case (let position?, .merge):
      value =
        ", coalesce((SELECT max(o.\(position)) FROM \(name) AS o WHERE o.\(near) = l.source), -1)"
        + " + 1 + l.position"
    case (let position?, .replace):
      value = ", l.position"
      conflict = "UPDATE SET \(position) = excluded.\(position)"
      isStored += " AND o.\(position) IS NOT DISTINCT FROM l.position"
    }
    var steps = [
      Step(
        .linked,
        """
        \(input) INSERT INTO \(name) (\(near), \(far)\(position.map { ", \($0)" } ?? "")) \
        SELECT l.source, l.target\(value) FROM saved AS l \
        WHERE NOT EXISTS (SELECT FROM \(name) AS o WHERE \(isStored)) \
        ON CONFLICT (source, target) DO \(conflict)
        """, arguments, isPrepared: isPrepared)
    ]
    // Remove links after adding new ones, so that rows that are still linked
    // are not deleted.
    guard case .replace(let removed) = link.relation.linkPolicy else { return steps }
    func isSaved(_ alias: String) -> String {
      "EXISTS (SELECT FROM saved AS l WHERE l.source = \(alias).\(near) AND l.target = \(alias).\(far))"
    }
    let isRemoved = "s.\(near) IN (SELECT id FROM owner) AND NOT \(isSaved("s"))"
    if removed == .delete {
      // Foreign keys also delete the links.
      let id = "t.\(target.identity)"
      steps.append(
        Step(
          .deleted,
          """
          \(input) \(removal(as: "t")) WHERE \(id) IN \
          (SELECT s.\(far) FROM \(name) AS s WHERE \(isRemoved)) AND NOT EXISTS \
          (SELECT FROM \(name) AS o WHERE o.\(far) = \(id) \
          AND (o.\(near) NOT IN (SELECT id FROM owner) OR \(isSaved("o"))))
          """, arguments, isPrepared: isPrepared))
    }
    steps.append(
      Step(
        .unlinked, "\(input) DELETE FROM \(name) AS s WHERE \(isRemoved)", arguments,
        isPrepared: isPrepared))
    return steps
  }
}
