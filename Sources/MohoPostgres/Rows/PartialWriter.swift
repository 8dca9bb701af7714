import MohoMapping
import MohoRows

/// Updates the rows of one model from partial models without relations, with one
/// statement for all partial models that have the same keys. In the careful mode, these are
/// consecutive partial models, and statements that fail are divided.
final class PartialWriter<Model: MappedModel>: PartialRowWriter {
  private let connection: PostgresConnection
  private let resolver: RowResolver
  private let schema: CompiledSchema
  private let node: ModelNode
  private let mode: SavingMode
  let failures: WriteFailures
  private let mapping = Model.mapping
  /// The names of the keys that identify a row.
  private let unique: [String]
  private let log: SavedRowLog?

  /// - Parameters:
  ///   - log: The log of written rows, or nil if the writer does not write.
  ///   - failures: The errors of the call.
  init(
    _ connection: PostgresConnection, _ resolver: RowResolver, _ schema: Schema,
    _ mode: SavingMode = .fast, log: SavedRowLog? = nil,
    _ failures: WriteFailures = WriteFailures { true }
  ) throws {
    let node = try schema.compiled.node(of: Model.self)
    unique = node.unique.map { node.table.keys[$0].name }
    if unique.isEmpty { throw StoreError.noUniqueKey(ofPartial: node) }
    self.schema = schema.compiled
    self.node = node
    self.connection = connection
    self.resolver = resolver
    self.mode = mode
    self.failures = failures
    self.log = log
  }

  func check(_ partial: Partial<Model>) throws {
    let keys = partial.keys
    let missing = unique.first { name in !keys.contains { $0.isStored && $0.name == name } }
    if let missing { throw StoreError.missingKey(missing, of: partial) }
  }

  func key(of partial: Partial<Model>) throws -> FieldContent {
    try schema.stored(key: mapping.identity(of: partial, by: node.unique))
  }

  func identities(of keys: [FieldContent]) throws -> [Int64?] {
    try resolver.identities(of: keys, in: node.entity, isVerified: true)
  }

  /// The partial models that have the same keys.
  private struct Group {
    let names: [String]
    let encoder: RowArrayEncoder
    /// The positions in the list, and the identities of the rows.
    var positions: [Int] = []
    var identities: [Int64] = []
  }

  func update(_ partials: [(partial: Partial<Model>, index: Int)]) throws -> [SaveOutcome] {
    var invalid: Set<Int> = []
    let keys = try partials.map { partial, index -> FieldContent in
      try check(partial)
      do {
        return try key(of: partial)
      } catch let error as MappingError {
        try failures.add(error.inElement(index))
        invalid.insert(index)
        return .null
      }
    }
    // If the key is the identity, rows that are updated are not looked up.
    let ids = try resolver.identities(of: keys, in: node.entity)
    var outcomes = ids.map { $0 == nil ? SaveOutcome.missing : .unchanged }
    var groups: [[String]: Group] = [:]
    var written: Set<Int64> = []
    for (position, (partial, index)) in partials.enumerated() where !invalid.contains(index) {
      // The partial model may contain properties that have no column.
      let names = partial.keys.filter { $0.isStored && !unique.contains($0.name) }.map(\.name)
      let id = ids[position]
      // Partial models of the same row are written in their order.
      let isRepeated = id.map { !written.insert($0).inserted } ?? false
      let hasOtherKeys = !groups.isEmpty && groups[names] == nil
      if isRepeated || mode == .careful && hasOtherKeys {
        try write(&groups, &outcomes, partials)
        written = Set([id].compactMap { $0 })
      }
      var group = groups[names] ?? Group(names: names, encoder: makeEncoder(names))
      do {
        try mapping.encode(partial, order: mapping.fieldKeys.stored, to: group.encoder)
      } catch {
        let error = (error as? MappingError)?.inElement(index) ?? error
        try failures.add(error, at: FieldPath([.index(index)]), ofStatement: false)
        group.encoder.discardRow()
        continue
      }
      // The values of missing rows are checked, too. No row has the identity.
      group.encoder.endRow()
      group.positions.append(position)
      group.identities.append(id ?? 0)
      groups[names] = group
    }
    try write(&groups, &outcomes, partials)
    if node.entity.isKeyedByIdentity { try findMissingRows(of: keys, &outcomes) }
    return outcomes
  }

  /// Looks up the rows that were not updated.
  private func findMissingRows(of keys: [FieldContent], _ outcomes: inout [SaveOutcome]) throws {
    let positions = outcomes.indices.filter { outcomes[$0] == .unchanged }
    if positions.isEmpty { return }
    let stored = try identities(of: positions.map { keys[$0] })
    for (position, id) in zip(positions, stored) where id == nil { outcomes[position] = .missing }
  }

  private func makeEncoder(_ names: [String]) -> RowArrayEncoder {
    var types: [PostgresType] = []
    let columns = zip(node.keys, mapping.keys).map { stored, key -> Int in
      guard case .column(let attribute?) = stored, names.contains(key.name) else { return -1 }
      types.append(PostgresType(node.entity.attributes[attribute].type))
      return types.count - 1
    }
    return RowArrayEncoder(
      types, columns: columns, keyColumns: [], entity: node.name, keys: mapping.keys)
  }

  private func write(
    _ groups: inout [[String]: Group], _ outcomes: inout [SaveOutcome],
    _ partials: [(partial: Partial<Model>, index: Int)]
  ) throws {
    defer { groups = [:] }
    // In a fixed order, so that calls with the same keys lock rows in the same order.
    let ordered = groups.values.sorted { $0.positions[0] < $1.positions[0] }
    for group in ordered where !group.encoder.rows.types.isEmpty {
      guard mode == .careful else {
        try write(group, group.positions.indices, &outcomes)
        continue
      }
      try connection.writingParts(of: group.positions.indices) { part in
        try write(group, part, &outcomes)
      } failing: { error, position in
        let (partial, index) = partials[group.positions[position]]
        var error = error
        error.subject = error.subject ?? "\(partial)"
        try failures.add(error, at: FieldPath([.index(index)]))
      }
    }
  }

  /// Writes some of the partial models of a group.
  private func write(
    _ group: Group, _ part: Range<Int>, _ outcomes: inout [SaveOutcome]
  ) throws {
    let types = group.encoder.rows.types
    // The columns have the order of the mapping's keys.
    let names = mapping.keys.map(\.name).filter { group.names.contains($0) }.map(quotedName)
    var existing = PostgresArray(.int8)
    for (position, id) in zip(group.positions[part], group.identities[part]) {
      if outcomes[position] == .missing { existing.appendNull() } else { existing.append(id) }
    }
    let all = group.encoder.rows
    let rows = part.count == all.count ? all : all.rows(at: part)
    var arguments = rows.arguments
    arguments.append(existing)
    let assignments = names.enumerated().map { "\($1) = i.c\($0)" }.joined(separator: ", ")
    let stored = names.map { "s.\($0)" }.joined(separator: ", ")
    let new = names.indices.map { "i.c\($0)" }.joined(separator: ", ")
    let result = try connection.query(
      """
      UPDATE \(quotedName(node.name)) AS s SET \(assignments) \
      FROM \(RowArrays.source(types + [.int8], as: "i")) \
      WHERE s.\(node.identity) = i.c\(types.count) AND (\(stored)) IS DISTINCT FROM (\(new)) \
      RETURNING i.n
      """, arguments, isPrepared: rows.isPrepared)
    for row in result.rows {
      let index = part.lowerBound + row.int(0) - 1
      outcomes[group.positions[index]] =
        try log?.outcome(ofUpdating: group.identities[index], group.names) ?? .updated
    }
  }
}
