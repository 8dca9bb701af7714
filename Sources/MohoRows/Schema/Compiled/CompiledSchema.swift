package import MohoMapping
import Synchronization

/// A schema with resolved names. It provides entities, relationships and tables
/// by index.
///
/// ``Schema`` creates it once. Requests, model graphs, contexts, change logs,
/// migrations and commit recording use it with any engine.
package final class CompiledSchema: Sendable {
  package let entities: [CompiledEntity]
  /// The link tables, in the order of the relationships that declare them.
  package let linkTables: [LinkTable]
  /// The tables of the entities, followed by the link tables.
  package let tables: [CompiledTable]
  /// For each entity, the relationships without an inverse that refer to it.
  let incoming: [[CompiledRelationship]]
  let nodes = ModelNodes()
  /// The models whose rules may read related rows.
  package let modelsWithRulesOverRelations: [any MappedModel.Type]
  let rulesOverRelations = Lock<RulesOverRelations?>(nil)
  let cascades: CascadeReach
  private let indices: [String: Int]
  /// Returns what columns return for contents, or nil if they return them
  /// without a change.
  let conversion: StoredConversion?

  /// Creates a compiled schema from entities, which may be invalid.
  ///
  /// - Parameters:
  ///   - entities: The entities.
  ///   - aliases: Additional names of entities.
  ///   - models: The models from which entities are derived, by name.
  ///   - conversion: Returns what columns return for contents.
  init(
    _ entities: [Entity], aliases: [String: String], models: [String: RelatedModels],
    conversion: StoredConversion?
  ) {
    self.conversion = conversion
    var indices = Dictionary(
      entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    for (alias, name) in aliases { indices[alias] = indices[name] }
    let names = Dictionary(aliases.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let resolver = RelationshipResolver(
      entities: entities.withImpliedInverses, indices: indices, declaredNames: names)
    let compiled = entities.indices.map { index in
      CompiledEntity(
        entities[index], at: index, resolver, models[entities[index].name]?.model, conversion)
    }
    let linkTables = compiled.flatMap(\.relationships).compactMap { relationship in
      if case .table(let table, .source) = relationship.storage { table } else { nil }
    }
    self.indices = indices
    self.entities = compiled
    cascades = CascadeReach(compiled)
    self.linkTables = linkTables
    tables = compiled.map(\.table) + linkTables.map(\.table)
    modelsWithRulesOverRelations = entities.compactMap { models[$0.name]?.model }
      .filter { $0.hasRulesOverRelations }
    incoming = compiled.indices.map { index in
      compiled.flatMap(\.relationships).filter { $0.destination == index && $0.inverse == nil }
    }
  }

  package func entity(_ name: String) -> CompiledEntity? { indices[name].map { entities[$0] } }

  /// - Throws: A ``StoreError`` if the schema does not contain the entity.
  package func requireEntity(_ name: String) throws -> CompiledEntity {
    guard let entity = entity(name) else {
      throw StoreError(
        .invalidRequest, reason: "the store has no entity `\(name)`",
        suggestion: proposal(for: name, among: entities.map(\.name)))
    }
    return entity
  }

  /// Whether rules of models may read related rows. If not, no rule can break by a change of
  /// another row, and nothing is recorded or checked.
  package var hasRulesOverRelations: Bool { !modelsWithRulesOverRelations.isEmpty }

  /// Returns the inverse of a relationship.
  func inverse(of relationship: CompiledRelationship) -> CompiledRelationship? {
    relationship.inverse.map { entities[relationship.destination].relationships[$0] }
  }

  /// The full-text indexes of the entities that have searchable keys.
  package var searchIndexes: [SearchIndex] { entities.compactMap { SearchIndex($0.entity) } }

  /// The names, tables and columns of all indexes.
  package var indexes: [(name: String, table: String, columns: [String])] {
    let ends = [LinkTable.column(.target), LinkTable.column(.source)]
    let columns =
      linkTables.map { (table: $0.name, columns: ends) }
      + entities.flatMap { entity in entity.indexes.map { (table: entity.name, columns: $0) } }
    return columns.map { table, columns in
      ("\(table)(\(columns.joined(separator: ",")))", table, columns)
    }
  }
}

extension MappedModel {
  fileprivate static var hasRulesOverRelations: Bool { mapping.hasRulesOverRelations }
}

/// Finds the destinations and the inverses of relationships.
struct RelationshipResolver {
  let entities: [Entity]
  let indices: [String: Int]
  /// The declared names of entities whose rows are read from other tables.
  let declaredNames: [String: String]

  func destination(of relationship: Relationship) -> Int? { indices[relationship.destination] }

  /// Returns the index of the inverse in the relationships of the destination,
  /// regardless of which of the two declares the other.
  func inverse(of relationship: Relationship, in entity: Int) -> Int? {
    guard let destination = destination(of: relationship) else { return nil }
    let others = entities[destination].relationships
    if let name = relationship.inverse { return others.firstIndex { $0.name == name } }
    return others.firstIndex {
      $0.inverse == relationship.name && self.destination(of: $0) == entity
    }
  }

  func storage(of index: Int, in entity: Int) -> LinkStorage {
    let relationship = entities[entity].relationships[index]
    let destination = destination(of: relationship) ?? entity
    let inverseIndex = inverse(of: relationship, in: entity)
    let inverse = inverseIndex.map { entities[destination].relationships[$0] }
    let isIdentifying = entities[entity].identifyingKeys.contains(relationship.name)
    let isInverseIdentifying =
      inverse.map { entities[destination].identifyingKeys.contains($0.name) } ?? false
    // Of a relationship and its inverse, the one that is declared first stores
    // the links.
    let isFirst = destination == entity ? index <= inverseIndex ?? index : entity < destination
    let storesLink = isIdentifying != isInverseIdentifying ? isIdentifying : isFirst
    if !relationship.isToMany {
      guard let inverse, !inverse.isToMany, !storesLink else { return .column }
      return .inverseColumn(inverse.name, position: nil)
    }
    if let inverse, !inverse.isToMany {
      return .inverseColumn(
        inverse.name,
        position: relationship.isOrdered ? ReservedName.position(of: inverse.name) : nil)
    }
    if let inverse, !storesLink {
      return .table(
        linkTable(inverse, of: destination, to: entity, inverse: relationship), end: .target)
    }
    return .table(
      linkTable(relationship, of: entity, to: destination, inverse: inverse), end: .source)
  }

  private func linkTable(
    _ relationship: Relationship, of entity: Int, to destination: Int, inverse: Relationship?
  ) -> LinkTable {
    let source = entities[entity].name
    return LinkTable(
      name: ReservedName.linkTable(
        of: relationship.name, in: declaredNames[source] ?? source),
      source: source, relationship: relationship.name, target: entities[destination].name,
      isOrdered: relationship.isOrdered, isInverseOrdered: inverse?.isOrdered ?? false)
  }
}
