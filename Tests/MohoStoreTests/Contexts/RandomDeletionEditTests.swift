import Campaigns
import MohoMapping
import MohoRows
import MohoTesting
import StoreTesting
import Testing

/// Edits links and deletes rows of random entities in a context, with undo, redo, saves and
/// rollbacks. The context and the store have what ``DeletionModel`` computes with sets.
@Suite(.allEngines) struct RandomDeletionEditTests {
  @Test func contextsFollowDeleteRulesOfEditedLinks() throws {
    let short = TestedEngine.current == .sqlite ? 60 : 8
    let count = Campaign.count("MOHO_DELETION_SEEDS", short: short, full: short * 10)
    for seed in Campaign.seeds(from: "MOHO_DELETION_SEED", count: count) {
      var run = try DeletionRun(seed: seed)
      for step in 0..<24 {
        let isSame = try run.performRandomStep()
        try #require(isSame, "seed \(seed), step \(step): \(run)")
      }
    }
  }
}

private struct DeletionRun: CustomStringConvertible {
  private let store: ModelStore
  private let context: EditingContext
  private var random: SeededGenerator
  private var now: DeletionModel
  private var saved: DeletionModel
  private var undo: [DeletionModel] = []
  private var redo: [DeletionModel] = []
  private let start: DeletionModel
  private var actions: [String] = []
  private var defect: String?

  var description: String {
    """
    \(defect ?? "")
    \(start.relations.map { "\($0)" }.joined(separator: "\n"))
    start: \(start.links.map(\.description).sorted())
    \(actions.joined(separator: "\n"))
    """
  }

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    let model = DeletionModel(&random)
    (start, now, saved) = (model, model, model)
    store = try emptyStore(Schema(model.entities))
    try store.fill(with: model)
    context = EditingContext(store)
  }

  /// - Returns: Whether the context and the store are as the model.
  mutating func performRandomStep() throws -> Bool {
    switch random.below(20) {
    case 0..<3: undoLast()
    case 3..<5: redoLast()
    case 5..<8: try save()
    case 8: rollback()
    case 9..<12: try delete()
    default: try editLink()
    }
    // Rows that are read rarely change before they are read.
    if random.oneIn(2) { try compare() }
    return defect == nil
  }

  private mutating func expect(_ isTrue: Bool, _ text: String) {
    if !isTrue, defect == nil { defect = text }
  }

  private mutating func compare() throws {
    let rows = try context.rows(of: now)
    expect(rows == now.rows, "the context has \(rows.sorted())")
    let links = try context.links(of: now).filter { now.isAlive($0) }
    let expected = now.visibleLinks
    expect(
      links == expected,
      "the context has the links \(links.subtracting(expected)), but not"
        + " \(expected.subtracting(links))")
  }

  /// Records an edit. An edit without an effect cannot be undone.
  private mutating func record(_ before: DeletionModel) {
    guard before.rows != now.rows || before.links != now.links else { return }
    undo.append(before)
    redo = []
  }

  private mutating func undoLast() {
    actions.append("undo")
    expect(context.undo() == !undo.isEmpty, "undo")
    guard let before = undo.popLast() else { return }
    redo.append(now)
    now = before
  }

  private mutating func redoLast() {
    actions.append("redo")
    expect(context.redo() == !redo.isEmpty, "redo")
    guard let after = redo.popLast() else { return }
    undo.append(now)
    now = after
  }

  private mutating func rollback() {
    actions.append("rollback")
    context.rollback()
    now = saved
    (undo, redo) = ([], [])
  }

  private mutating func delete() throws {
    let entity = random.below(now.entities.count)
    let candidates = now.rows.filter { $0.entity == entity }.sorted()
    if candidates.isEmpty { return }
    let rows = Set((0..<1 + random.below(2)).map { _ in random.one(of: candidates) })
    actions.append("delete \(rows.sorted())")
    let managed = try context.managedRows(of: now)
    let before = now
    try context.delete(rows.sorted().compactMap { managed[$0] })
    now.deleteUnsaved(rows)
    record(before)
  }

  private mutating func editLink() throws {
    let index = random.below(now.relations.count)
    let relation = now.relations[index]
    let sources = now.rows.filter { $0.entity == relation.source }.sorted()
    let targets = now.rows.filter { $0.entity == relation.target }.sorted()
    if sources.isEmpty || targets.isEmpty || relation.isRequired { return }
    let (source, target) = (random.one(of: sources), random.one(of: targets))
    let managed = try context.managedRows(of: now)
    guard let row = managed[source], let other = managed[target] else { return }
    let before = now
    let link = DeletionModel.Link(relation: index, source: source, target: target)
    if relation.isToMany {
      let isLinked = now.links.contains(link)
      actions.append("\(isLinked ? "un" : "")link \(link)")
      try isLinked ? row.remove(other, from: relation.name) : row.add(other, to: relation.name)
      if isLinked { now.links.remove(link) } else { now.links.insert(link) }
    } else {
      // A deleted row retains a one-to-one link, which the other row cannot have twice.
      let isRetained = [source, target].contains { now.hasRetainedLink(index, of: $0) }
      if relation.kind == .oneToOne, isRetained { return }
      let isSet = !random.oneIn(3)
      actions.append(isSet ? "set \(link)" : "clear r\(index) of \(source)")
      try row.setRelatedRow(relation.name, to: isSet ? other : nil)
      now.setTarget(index, of: source, to: isSet ? target : nil)
    }
    record(before)
  }

  private mutating func save() throws {
    actions.append("save")
    let isAllowed = !now.isDenied(storing: saved.rows)
    do {
      try context.save()
      expect(isAllowed, "the deletion is not denied")
      now.links = now.visibleLinks
      saved = now
    } catch let error as RowValidationError {
      expect(!isAllowed, "\(error)")
    } catch let error as StoreError {
      expect(false, "\(error)")
    } catch let error as ConflictError {
      expect(false, "\(error)")
    }
    if !isAllowed { actions.append("  is denied") }
    let reader = EditingContext(store)
    let (rows, links) = (try reader.rows(of: saved), try reader.links(of: saved))
    expect(rows == saved.rows, "the store has \(rows.sorted())")
    expect(
      links == saved.links,
      "the store has the links \(links.subtracting(saved.links)), but not"
        + " \(saved.links.subtracting(links))")
  }
}
