import MohoMapping
import Synchronization

/// The models whose rules may read related rows, and the tables that they may read.
///
/// Rules are closures, so what they read is not known. A rule of a whole model may read all
/// rows that the model contains, directly or through others.
package struct RulesOverRelations: Sendable {
  /// The models, with the tables that they are read from.
  let results: [(model: any MappedModel.Type, result: ResultDefinition)]

  /// The tables whose changes can break a rule.
  package let tables: [CompiledTable]

  /// For each entity, the relationships by which the models contain its rows.
  let containing: [[CompiledRelationship]]

  fileprivate init(_ schema: Schema) throws {
    let compiled = schema.compiled
    results = try compiled.modelsWithRulesOverRelations.map { model in
      let request = RowRequest(try compiled.node(of: model).name)
      return (model, try ResultDefinition(request, isOrdered: false, of: model, schema))
    }
    let names = results.reduce(into: Set<String>()) { $0.formUnion($1.result.sources.tables) }
    tables = compiled.tables.filter { names.contains($0.name) }
    containing = try Self.containing(compiled)
  }

  private static func containing(_ schema: CompiledSchema) throws -> [[CompiledRelationship]] {
    var containing = schema.entities.map { _ in [CompiledRelationship]() }
    var seen: Set<ObjectIdentifier> = []
    for model in schema.modelsWithRulesOverRelations {
      for node in try schema.nodes(reachableFrom: model)
      where seen.insert(ObjectIdentifier(node.model)).inserted {
        for link in node.links where !link.isReference {
          containing[link.relationship.destination].append(link.relationship)
        }
      }
    }
    return containing
  }
}

extension Schema {
  /// The models whose rules may read related rows. They are found on first use.
  package var rulesOverRelations: RulesOverRelations {
    get throws {
      if let known = compiled.rulesOverRelations.withLock({ $0 }) { return known }
      let rules = try RulesOverRelations(self)
      compiled.rulesOverRelations.withLock { $0 = rules }
      return rules
    }
  }
}
