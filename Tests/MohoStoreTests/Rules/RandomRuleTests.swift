import Campaigns
import MohoMapping
import MohoTesting
import StoreTesting
import Testing

@testable import MohoRows

/// Edits related rows at random, by contexts, models, partial models, mirrors, deletions and
/// SQL. A transaction is refused exactly if it leaves a row that breaks a rule according to
/// ``HouseModel``, and plans report what the writes report. A context that is saved after another
/// writer has changed other rows is not refused because of rows that it has not changed.
@Suite(.allEngines) struct RandomRuleTests {
  @Test(arguments: 0..<Campaign.count("MOHO_RULE_SEEDS", short: 1, full: 120))
  func everythingStoredSatisfiesEveryRule(seed: Int) throws {
    var run = try RuleRun(seed: UInt64(seed))
    for round in 0..<60 { try run.performRound("seed \(seed), round \(round)") }
    #expect(run.savedCount > 10 && run.refusedCount > 0, "seed \(seed)")
  }
}

private struct RuleRun {
  private enum Way: CaseIterable {
    case context, staleContext, childContext, writer, statements, house, mirror
  }

  private let store: ModelStore
  private var random: SeededGenerator
  /// The rows of the store, which satisfy all rules.
  private var model = HouseModel()
  private(set) var savedCount = 0
  private(set) var refusedCount = 0

  init(seed: UInt64) throws {
    store = try Houses.store()
    random = SeededGenerator(seed: seed)
  }

  mutating func performRound(_ name: String) throws {
    let way = random.one(of: Way.allCases)
    if way == .staleContext { return try performStaleRound(name) }
    var next = model
    var text = "\(name), \(way)"
    let error: (any Error)?
    /// Whether a model or a partial model is invalid by itself.
    var isInvalidModel = false
    switch way {
    case .house, .mirror:
      let save = way == .house ? try houseSave(&next) : try mirrorSave(&next)
      isInvalidModel = save.isInvalidModel
      let planned = Result { try store.write { try save.plan($0) } }
      error = caughtError { try store.write { try save.save($0) } }
      #expect(planned.failure.map { "\($0)" } == error.map { "\($0)" }, "\(text)")
    default:
      let edits = edits(&next, allowsBrokenPeople: way != .statements)
      text += " \(edits)"
      isInvalidModel = way == .writer && hasInvalidModel(edits)
      error = caughtError { try perform(edits, way) }
    }
    try check(error, next, isInvalidModel: isInvalidModel, text)
  }

  /// Returns edits of different rows, and applies them.
  private mutating func edits(
    _ next: inout HouseModel, allowsBrokenPeople: Bool
  ) -> [HouseEdit] {
    var edits: [HouseEdit] = []
    var edited: Set<String> = []
    for _ in 0...random.below(4) {
      let edit = next.randomEdit(&random)
      if case .person(_, let person) = edit, person.low > person.high, !allowsBrokenPeople {
        continue
      }
      let isDeleted = model.has(edit.row) && !next.has(edit.row)
      if isDeleted || !edited.insert(edit.row).inserted { continue }
      edit.apply(to: &next)
      edits.append(edit)
    }
    return edits
  }

  private func hasInvalidModel(_ edits: [HouseEdit]) -> Bool {
    var current = model
    return edits.contains { edit in
      let isNew = !current.has(edit.row)
      edit.apply(to: &current)
      return current.isInvalidModel(edit, isNew: isNew)
    }
  }

  private mutating func perform(_ edits: [HouseEdit], _ way: Way) throws {
    switch way {
    case .context: try edit(edits, in: EditingContext(store))
    case .childContext:
      let parent = EditingContext(store)
      if random.oneIn(2) { try HouseContext(parent).load(&random) }
      try edit(edits, in: EditingContext(childOf: parent))
      try parent.save()
    case .statements:
      let sql = statements(edits)
      try store.execute(sql.joined(separator: ";"))
    default:
      var (random, current) = (random, model)
      try store.write { writer in
        for edit in edits {
          let old = current
          edit.apply(to: &current)
          try writer.apply(edit, from: old, to: current, &random)
        }
      }
      _ = self.random.next()
    }
  }

  private mutating func edit(_ edits: [HouseEdit], in context: EditingContext) throws {
    try prepare(edits, in: context)
    try context.save()
  }

  /// Edits rows without saving them.
  private mutating func prepare(_ edits: [HouseEdit], in context: EditingContext) throws {
    var editing = HouseContext(context)
    if random.oneIn(2) { try editing.load(&random) }
    var current = model
    for edit in edits {
      try editing.apply(edit, to: current)
      edit.apply(to: &current)
    }
  }

  /// Edits rows in a context, and saves it after another writer has changed other rows.
  private mutating func performStaleRound(_ name: String) throws {
    let old = model
    var mine = model
    let edits = edits(&mine, allowsBrokenPeople: true)
    let context = EditingContext(store)
    try prepare(edits, in: context)
    let edited = Set(edits.map(\.row))
    let others = otherEdits(than: edited)
    try perform(others, .writer)
    for edit in others { edit.apply(to: &model) }

    let error = caughtError { try context.save() }

    var final = model
    for edit in edits { edit.apply(to: &final, since: old) }
    for house in final.houses.keys { final.houses[house]?.tags.formIntersection(final.tags.keys) }
    let comment = Comment(
      rawValue: "\(name), \(edits) after \(others): \(final.brokenRows.sorted()), "
        + (error.map { "\($0)" } ?? "saved"))
    switch error {
    case nil:
      savedCount += 1
      #expect(final.brokenRows.isEmpty, comment)
      model = final
    case let error as RowValidationError:
      refusedCount += 1
      let rows = failedRows(error)
      #expect(rows != nil, comment)
      if let rows, final.brokenRows.isEmpty { #expect(rows.isSubset(of: edited), comment) }
    case is ConflictError: break
    case let error as StoreError: #expect(error.code == .danglingReference, comment)
    default: Issue.record(comment)
    }
    try expectModel(comment)
  }

  /// Returns edits of other rows that leave no row that breaks a rule.
  private mutating func otherEdits(than edited: Set<String>) -> [HouseEdit] {
    var (current, edited) = (model, edited)
    var edits: [HouseEdit] = []
    for _ in 0...random.below(4) {
      let edit = current.randomEdit(&random)
      var next = current
      edit.apply(to: &next)
      let isDeleted = model.has(edit.row) && !current.has(edit.row)
      guard !isDeleted, !edit.row.hasPrefix("Node"), next.brokenRows.isEmpty,
        !hasInvalidModel(edits + [edit]), edited.insert(edit.row).inserted
      else { continue }
      current = next
      edits.append(edit)
    }
    return edits
  }

  private func statements(_ edits: [HouseEdit]) -> [String] {
    var current = model
    return edits.flatMap { edit in
      defer { edit.apply(to: &current) }
      return edit.statements(isNew: !current.has(edit.row), tags: tagTable)
    }
  }

  private var tagTable: String { store.schema.compiled.linkTables[0].name }

  private struct Save {
    var isInvalidModel = false
    let plan: (StoreWriter) throws -> Void
    let save: (StoreWriter) throws -> Void
  }

  /// Saves a house with nested models, which may be linked to another house.
  private mutating func houseSave(_ next: inout HouseModel) throws -> Save {
    let id = 1 + random.below(5)
    var house = next.houses[id] ?? HouseModel.House(grade: 4)
    let rooms = (1...10).filter { _ in random.oneIn(4) }
    for room in next.rooms.keys where next.rooms[room]?.house == id {
      next.rooms[room]?.house = nil
    }
    for room in rooms {
      next.rooms[room] = HouseModel.Room(
        name: random.below(6), width: 1 + random.below(2), height: 1, house: id)
    }
    house.tags = Set((1...5).filter { _ in random.oneIn(3) })
    for tag in house.tags { next.tags[tag] = random.below(6) }
    house.owner = random.oneIn(2) ? nil : 1 + random.below(5)
    if let owner = house.owner {
      let low = random.below(5)
      next.people[owner] = HouseModel.Person(low: low, high: low + random.below(5))
    }
    next.houses[id] = house
    let model = try next.house(id, rooms: rooms)
    return Save(
      isInvalidModel: next.isInvalidModel(.house(id, house), isNew: true),
      plan: { _ = try $0.plan(saving: [model]) }, save: { try $0.save([model]) })
  }

  /// Replaces some of the rooms.
  private mutating func mirrorSave(_ next: inout HouseModel) throws -> Save {
    let isMirrored = 1 + random.below(10)
    for room in next.rooms.keys.sorted() where room <= isMirrored && random.oneIn(2) {
      next.rooms[room] = nil
    }
    for room in next.rooms.keys.sorted() where room <= isMirrored {
      if random.oneIn(3) { next.rooms[room]?.name = random.below(6) }
    }
    let rooms = try next.rooms.keys.sorted().filter { $0 <= isMirrored }.map { try next.room($0) }
    let mode = SaveMode.mirror(
      ModelRequest<Houses.Room>().filter { $0.id <= isMirrored }, deletingAtMost: 1)
    return Save(
      plan: { _ = try $0.plan(saving: rooms, mode: mode) },
      save: { try $0.save(rooms, mode: mode) })
  }

  private mutating func check(
    _ error: (any Error)?, _ next: HouseModel, isInvalidModel: Bool, _ text: String
  ) throws {
    let comment = Comment(
      rawValue: "\(text): \(next.brokenRows.sorted()), \(error.map { "\($0)" } ?? "saved")")
    #expect((error == nil) == (next.brokenRows.isEmpty && !isInvalidModel), comment)
    if let error {
      refusedCount += 1
      let rows = failedRows(error)
      #expect(rows != nil, comment)
      if let rows, !isInvalidModel { #expect(rows.isSubset(of: next.brokenRows), comment) }
    } else {
      savedCount += 1
      model = next
    }
    try expectModel(comment)
  }

  /// Checks that the store has the rows of the model, and that all models can be read.
  private func expectModel(_ comment: Comment) throws {
    #expect(try HouseModel(store) == model, comment)
    #expect(try store.fetchLossy(ModelRequest<Houses.City>()).failures.isEmpty, comment)
    #expect(try store.fetchLossy(ModelRequest<Houses.House>()).failures.isEmpty, comment)
    #expect(try store.fetchLossy(ModelRequest<Houses.Person>()).failures.isEmpty, comment)
    #expect(try store.fetch(ModelRequest<Houses.Node>()).count == model.nodes.count, comment)
  }

  /// The stored rows that an error names, or nil if the error is not that of a rule.
  private func failedRows(_ error: any Error) -> Set<String>? {
    if let error = error as? RowValidationError {
      guard error.failures.allSatisfy({ $0.kind == .failedRule }) else { return nil }
      if error.failures.contains(where: { $0.row.isTemporary }) { return [] }
      return Set(error.failures.map { "\($0.row)".replacing("`", with: "") })
    }
    guard let error = error as? MappingError,
      error.errors.allSatisfy({ $0.code == .failedValidation })
    else { return nil }
    return Set(error.errors.compactMap { $0.row?.replacing("`", with: "") })
  }
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}

extension HouseModel {
  fileprivate func has(_ row: String) -> Bool {
    let parts = row.split(separator: " ")
    return ids(String(parts[0])).contains(Int(parts[1]) ?? 0)
  }
}

extension HouseEdit {
  /// The SQL of the edit.
  ///
  /// - Parameter tags: The name of the table with the tags of houses.
  fileprivate func statements(isNew: Bool, tags table: String) -> [String] {
    switch self {
    case .room(let id, let room):
      let size = "'{\"width\":\(room.width),\"height\":\(room.height)}'"
      return row(
        "Room", id, isNew,
        [("name", "\(room.name)"), ("size", size), ("house", Self.sql(room.house))])
    case .person(let id, let person):
      return row("Person", id, isNew, [("low", "\(person.low)"), ("high", "\(person.high)")])
    case .tag(let id, let weight): return row("Tag", id, isNew, [("weight", "\(weight)")])
    case .city(let id, let limit): return row("City", id, isNew, [("limit", "\(limit)")])
    case .house(let id, let house):
      let values = [
        ("grade", "\(house.grade)"), ("owner", Self.sql(house.owner)),
        ("city", Self.sql(house.city)),
      ]
      return row("House", id, isNew, values) + ["DELETE FROM \"\(table)\" WHERE source = \(id)"]
        + house.tags.sorted().map {
          "INSERT INTO \"\(table)\" (source, target) VALUES (\(id), \($0))"
        }
    case .node(let id, let node):
      return row(
        "Node", id, isNew, [("value", "\(node.value)"), ("parent", Self.sql(node.parent))])
    case .deletion(let entity, let id): return ["DELETE FROM \"\(entity)\" WHERE id = \(id)"]
    }
  }

  private func row(
    _ table: String, _ id: Int, _ isNew: Bool, _ values: [(name: String, value: String)]
  ) -> [String] {
    if isNew {
      let names = values.map { ", \"\($0.name)\"" }.joined()
      let contents = values.map { ", \($0.value)" }.joined()
      return ["INSERT INTO \"\(table)\" (id\(names)) VALUES (\(id)\(contents))"]
    }
    let assignments = values.map { "\"\($0.name)\" = \($0.value)" }.joined(separator: ", ")
    return ["UPDATE \"\(table)\" SET \(assignments) WHERE id = \(id)"]
  }

  private static func sql(_ id: Int?) -> String { id.map { "\($0)" } ?? "NULL" }
}
