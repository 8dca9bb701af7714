import MohoMapping
import MohoRows
import MohoTesting

/// Random entities with delete rules, random rows, and what remains of them after
/// a deletion, computed with sets.
struct DeletionModel {
  enum Kind: CaseIterable {
    /// A to-one relationship, without and with a to-many inverse.
    case column, columnWithInverse
    case oneToOne
    /// A to-many relationship, without and with a to-many inverse.
    case table, tableWithInverse
  }

  struct Relation {
    var name: String
    var kind: Kind
    var source: Int
    var target: Int
    var isRequired: Bool
    /// The rule for targets of deleted sources, and for sources of deleted
    /// targets.
    var forward: DeleteRule
    var back: DeleteRule

    var isToMany: Bool { kind == .table || kind == .tableWithInverse }
    var isColumn: Bool { kind == .column || kind == .columnWithInverse }
  }

  struct Row: Hashable, Comparable {
    var entity: Int
    var id: Int64

    static func < (one: Row, other: Row) -> Bool {
      (one.entity, one.id) < (other.entity, other.id)
    }
  }

  struct Link: Hashable, CustomStringConvertible {
    var relation: Int
    var source: Row
    var target: Row

    var description: String {
      "r\(relation): \(name(source.entity))\(source.id)→\(name(target.entity))\(target.id)"
    }
  }

  struct Denied: Error {}

  private(set) var relations: [Relation] = []
  private(set) var entities: [Entity] = []
  var rows: Set<Row> = []
  var links: Set<Link> = []

  static func name(_ entity: Int) -> String { ["A", "B", "C"][entity] }

  init(_ generator: inout SeededGenerator) {
    let count = 1 + generator.below(3)
    repeat {
      relations = (0..<1 + generator.below(4)).map {
        Self.relation("r\($0)", among: count, &generator)
      }
      entities = Self.entities(count, relations, &generator)
    } while (try? Schema(entities)) == nil
    addRows(&generator)
  }

  var denies: Bool { relations.contains { $0.forward == .deny || $0.back == .deny } }

  var hasTableCascades: Bool {
    relations.contains { relation in
      (relation.kind == .table || relation.kind == .tableWithInverse)
        && (relation.forward == .cascade || relation.back == .cascade)
    }
  }

  private static func relation(
    _ name: String, among count: Int, _ generator: inout SeededGenerator
  ) -> Relation {
    func rule(_ kind: Kind) -> DeleteRule {
      let rules: [DeleteRule] = [.cascade, .cascade, .cascade, .nullify, .deny]
      return generator.one(of: kind == .oneToOne ? rules : rules + [.noAction])
    }
    let kind = generator.one(of: Kind.allCases)
    let hasWayBack = kind != .table
    return Relation(
      name: name, kind: kind, source: generator.below(count), target: generator.below(count),
      isRequired: kind == .columnWithInverse && generator.oneIn(4), forward: rule(kind),
      back: hasWayBack ? rule(kind) : .nullify)
  }

  /// Declares each relation in one of its spellings.
  private static func entities(
    _ count: Int, _ relations: [Relation], _ generator: inout SeededGenerator
  ) -> [Entity] {
    var declared = Array(repeating: [Relationship](), count: count)
    for relation in relations {
      let (name, back) = (relation.name, relation.name + "back")
      let (source, target) = (Self.name(relation.source), Self.name(relation.target))
      let atEnd = generator.below(3)
      switch relation.kind {
      case .column, .columnWithInverse:
        let isSpelledHere = relation.kind == .column || atEnd != 1
        declared[relation.source].append(
          .toOne(
            name, target, isOptional: !relation.isRequired,
            whenTargetIsDeleted: isSpelledHere ? relation.back : nil,
            whenThisIsDeleted: relation.forward == .cascade
              ? .cascadeEvenIfShared : relation.forward))
        guard relation.kind == .columnWithInverse else { continue }
        declared[relation.target].append(
          .toMany(back, source, inverse: name, onDelete: atEnd != 0 ? relation.back : nil))
      case .oneToOne:
        declared[relation.source].append(
          .toOne(
            name, target, whenTargetIsDeleted: atEnd != 1 ? relation.back : nil,
            whenThisIsDeleted: atEnd != 0 ? relation.forward : nil))
        declared[relation.target].append(
          .toOne(
            back, source, inverse: name,
            whenTargetIsDeleted: atEnd != 1 ? relation.forward : nil,
            whenThisIsDeleted: atEnd != 0 ? relation.back : nil))
      case .table, .tableWithInverse:
        declared[relation.source].append(.toMany(name, target, onDelete: relation.forward))
        guard relation.kind == .tableWithInverse else { continue }
        declared[relation.target].append(
          .toMany(back, source, inverse: name, onDelete: relation.back))
      }
    }
    return declared.enumerated().map { entity, relationships in
      Entity(
        Self.name(entity), attributes: [Attribute("id", .int64, isOptional: false)],
        relationships: relationships, unique: [["id"]])
    }
  }

  private mutating func addRows(_ generator: inout SeededGenerator) {
    for entity in entities.indices {
      for id in 0..<3 + generator.below(5) { rows.insert(Row(entity: entity, id: Int64(id + 1))) }
    }
    for (index, relation) in relations.enumerated() {
      let sources = rows.filter { $0.entity == relation.source }.sorted()
      let targets = rows.filter { $0.entity == relation.target }.sorted()
      var free = targets
      for source in sources {
        var found: [Row] = []
        switch relation.kind {
        case .column, .columnWithInverse:
          if relation.isRequired || !generator.oneIn(3) { found = [generator.one(of: targets)] }
        case .oneToOne:
          if !free.isEmpty, !generator.oneIn(3) {
            found = [free.remove(at: generator.below(free.count))]
          }
        case .table, .tableWithInverse:
          found = targets.filter { _ in generator.oneIn(4) }
        }
        for target in found {
          links.insert(Link(relation: index, source: source, target: target))
        }
      }
    }
  }

  /// Deletes rows according to the rules.
  mutating func delete(_ start: Set<Row>) throws {
    var deleted = start
    var size = 0
    while size < deleted.count {
      size = deleted.count
      for link in links {
        let relation = relations[link.relation]
        if relation.forward == .cascade, deleted.contains(link.source) {
          deleted.insert(link.target)
        }
        if relation.back == .cascade, deleted.contains(link.target) { deleted.insert(link.source) }
      }
    }
    for link in links {
      let relation = relations[link.relation]
      let (isSource, isTarget) = (deleted.contains(link.source), deleted.contains(link.target))
      if isSource, !isTarget, relation.forward == .deny { throw Denied() }
      if isTarget, !isSource, relation.back == .deny { throw Denied() }
      let isColumn = relation.kind == .column || relation.kind == .columnWithInverse
      if isTarget, !isSource, isColumn, relation.back == .noAction { throw Denied() }
    }
    rows.subtract(deleted)
    links = links.filter { !deleted.contains($0.source) && !deleted.contains($0.target) }
  }
}

extension EditingContext {
  /// The rows of the entities of a model.
  func rows(of model: DeletionModel) throws -> Set<DeletionModel.Row> {
    Set(try managedRows(of: model).keys)
  }

  /// The rows of the entities of a model, with the rows of the context.
  func managedRows(of model: DeletionModel) throws -> [DeletionModel.Row: ManagedRow] {
    var rows: [DeletionModel.Row: ManagedRow] = [:]
    for entity in model.entities.indices {
      for row in try fetch(DeletionModel.name(entity)) {
        rows[DeletionModel.Row(entity: entity, id: try row.value("id", as: Int64.self))] = row
      }
    }
    return rows
  }

  /// The links of a model's relationships, including links to deleted rows whose rules retain
  /// them.
  func links(of model: DeletionModel) throws -> Set<DeletionModel.Link> {
    var links: Set<DeletionModel.Link> = []
    let rows = try managedRows(of: model)
    for (index, relation) in model.relations.enumerated() {
      for (source, row) in rows where source.entity == relation.source {
        let related =
          try relation.isToMany
          ? row.relatedRows(relation.name) : [row.relatedRow(relation.name)].compactMap { $0 }
        for other in related {
          let id = try other.value("id", as: Int64.self)
          let target = DeletionModel.Row(entity: relation.target, id: id)
          links.insert(DeletionModel.Link(relation: index, source: source, target: target))
        }
      }
    }
    return links
  }
}
