import Campaigns
import MohoMapping
import MohoRows
import MohoTesting
import StoreTesting
import Testing

/// Compares deletions with ``DeletionModel``: requests, mirrors, contexts and SQL
/// leave the same rows and links, or fail and change nothing.
@Suite(.allEngines) struct RandomDeletionTests {
  @Test func deletionsHaveOneResult() throws {
    let short = TestedEngine.current == .sqlite ? 40 : 6
    let count = Campaign.count("MOHO_DELETION_SEEDS", short: short, full: short * 25)
    for seed in Campaign.seeds(from: "MOHO_DELETION_SEED", count: count) {
      var generator = SeededGenerator(seed: seed)
      var model = DeletionModel(&generator)
      let before = model
      let rows = model.rows.sorted()
      let entity = generator.below(model.entities.count)
      let candidates = rows.filter { $0.entity == entity }
      let start = Set((0..<1 + generator.below(3)).map { _ in generator.one(of: candidates) })
      let isAllowed = (try? model.delete(start)) != nil

      try check("seed \(seed), request", before, model, isAllowed) { store in
        let request = request(for: start, of: entity)
        let number = try store.write { try $0.delete(request) }
        #expect(number == start.count, "seed \(seed)")
      }
      // Saved models have no required links.
      let hasRequiredLink = before.relations.contains { $0.isRequired && $0.source == entity }
      let retained = candidates.filter {
        !start.contains($0) && generator.oneIn(2) && !hasRequiredLink
      }
      try check("seed \(seed), mirror", before, model, isAllowed) { store in
        let number = try store.mirror(retained.map(\.id), deleting: start.map(\.id), of: entity)
        #expect(number == start.count, "seed \(seed)")
      }
      try check("seed \(seed), context", before, model, isAllowed) { store in
        let context = EditingContext(store)
        try context.delete(try context.fetch(request(for: start, of: entity)))
        try context.save()
      }
      // SQL denies the deletion of a row before it deletes what denies it. SQLite
      // does not follow cycles of links in tables.
      let mayFail = before.denies || before.hasTableCascades
      try check("seed \(seed), SQL", before, model, mayFail ? nil : isAllowed) { store in
        let ids = start.map { "\($0.id)" }.joined(separator: ", ")
        try store.execute("DELETE FROM \"\(DeletionModel.name(entity))\" WHERE id IN (\(ids))")
      }
    }
  }

  private func request(for rows: Set<DeletionModel.Row>, of entity: Int) -> RowRequest {
    RowRequest(DeletionModel.name(entity)).filter { $0["id"].isOne(of: rows.map(\.id)) }
  }

  /// - Parameter isAllowed: Nil if the deletion may succeed or fail.
  private func check(
    _ comment: Comment, _ before: DeletionModel, _ after: DeletionModel, _ isAllowed: Bool?,
    _ delete: (ModelStore) throws -> Void
  ) throws {
    let store = try emptyStore(Schema(before.entities))
    var comment = Comment(
      rawValue: "\(comment): \(before.relations), \(before.links.map(\.description).sorted())")
    try store.fill(with: before)
    var isDone = false
    do {
      try delete(store)
      isDone = true
    } catch let error as StoreError {
      comment = Comment(rawValue: "\(comment), \(error)")
      let codes: [StoreError.Code] = [.deniedDeletion, .danglingReference, .limitExceeded]
      #expect(codes.contains(error.code), comment)
    } catch is RowValidationError {}
    if let isAllowed { #expect(isDone == isAllowed, comment) }
    let expected = isDone ? after : before
    let context = EditingContext(store)
    let links = try context.links(of: before)
    #expect(try context.rows(of: before) == expected.rows, comment)
    #expect(links == expected.links, comment)
    #expect(try store.brokenLinks() == [], comment)
  }
}

private struct MirroredA: MappedModel {
  var id: Int64

  static let mapping = Mapping("A", MirroredA.init, .key("id", \.id, .unique))
}

private struct MirroredB: MappedModel {
  var id: Int64

  static let mapping = Mapping("B", MirroredB.init, .key("id", \.id, .unique))
}

private struct MirroredC: MappedModel {
  var id: Int64

  static let mapping = Mapping("C", MirroredC.init, .key("id", \.id, .unique))
}

extension ModelStore {
  /// Saves some rows in place of these and others.
  ///
  /// - Returns: The number of deleted rows.
  fileprivate func mirror(
    _ retained: [Int64], deleting deleted: [Int64], of entity: Int
  ) throws -> Int {
    let all = retained + deleted
    func save<Model: MappedModel>(
      _ request: ModelRequest<Model>, _ model: (Int64) -> Model
    ) throws -> Int {
      let models = retained.map(model)
      return try write { writer in
        try writer.save(models, mode: .mirror(request, deletingAtMost: 1)).deleted
      }
    }
    return switch entity {
    case 0: try save(ModelRequest<MirroredA>().filter { $0.id.isOne(of: all) }, MirroredA.init)
    case 1: try save(ModelRequest<MirroredB>().filter { $0.id.isOne(of: all) }, MirroredB.init)
    default: try save(ModelRequest<MirroredC>().filter { $0.id.isOne(of: all) }, MirroredC.init)
    }
  }

  func fill(with model: DeletionModel) throws {
    let context = EditingContext(self)
    var rows: [DeletionModel.Row: ManagedRow] = [:]
    for row in model.rows.sorted() {
      rows[row] = try context.make(DeletionModel.name(row.entity), ["id": row.id])
    }
    for link in model.links.sorted(by: { ($0.source, $0.target) < ($1.source, $1.target) }) {
      guard let source = rows[link.source], let target = rows[link.target] else { continue }
      let relation = model.relations[link.relation]
      switch relation.kind {
      case .table, .tableWithInverse: try source.add(target, to: relation.name)
      default: try source.setRelatedRow(relation.name, to: target)
      }
    }
    try context.save()
  }
}
