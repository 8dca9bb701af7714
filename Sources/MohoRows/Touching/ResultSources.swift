package import MohoMapping

/// The tables that a result reads, and the links from each of them to the rows of
/// the result.
///
/// The first source is the result's own table. The other sources are read by a
/// filter, an ordering or a section key, or by models that the result's models
/// contain. A table can occur as several sources.
package struct ResultSources: Sendable {
  /// The effect of a changed row on the row of the result that depends on it.
  package enum Effect: Hashable, Sendable {
    /// The row may be inserted, deleted or moved.
    case position
    /// The value of a key changes.
    case content(key: String)
  }

  /// The link from a source to the source whose rows depend on it.
  package struct Dependent: Sendable {
    /// The index of the source whose rows depend on the linked rows.
    package let source: Int
    /// The name of the relationship that refers to the linked rows.
    package let relationship: String
    package let link: LinkStorage
    /// Whether the order of the linked rows matters.
    package let isOrdered: Bool
    /// The effect on the dependent row, if it is a row of the result.
    package let effect: Effect

    /// The columns in the table of the linked rows that store the link.
    package var linkColumns: Set<String> {
      guard case .inverseColumn(let column, let position) = link else { return [] }
      return Set([column] + (isOrdered ? [position].compactMap { $0 } : []))
    }
  }

  package struct Source: Sendable {
    package let entity: Entity
    /// The columns that the request or the models read.
    package var columns: Set<String>
    package var dependents: [Dependent] = []

    /// Returns whether changes of some columns of a row affect a dependent.
    package func affects(_ dependent: Dependent, changing names: Set<String>) -> Bool {
      !columns.isDisjoint(with: names) || !dependent.linkColumns.isDisjoint(with: names)
    }
  }

  package private(set) var sources: [Source]

  /// The columns of the result's own table that filters, orderings and the
  /// section key read.
  package var positionColumns: Set<String> { sources[0].columns }

  /// The relationships whose links the result's own table stores, with the effect
  /// of a change in a linked row.
  package var ownLinks: [(column: String, effect: Effect)] {
    sources.flatMap(\.dependents).filter { $0.source == 0 && $0.link == .column }
      .map { ($0.relationship, $0.effect) }
  }

  /// The names of all tables, including link tables.
  package let tables: Set<String>

  /// The names of the tables that the models read.
  package var contentTables: Set<String> {
    var names: Set<String> = [sources[0].entity.name]
    for source in sources {
      for dependent in source.dependents {
        guard case .content = dependent.effect else { continue }
        names.insert(source.entity.name)
        if case .table(let table, _) = dependent.link { names.insert(table.name) }
      }
    }
    return names
  }

  /// The names of the entities whose models are contained in other models.
  package var containedEntities: Set<String> {
    Set(
      sources.filter { source in
        source.dependents.contains { if case .content = $0.effect { true } else { false } }
      }
      .map(\.entity.name))
  }

  package init(
    of request: ResolvedRequest, isOrdered: Bool = true, _ model: (any MappedModel.Type)?,
    _ schema: Schema
  ) throws {
    var builder = ResultSourcesBuilder(request.entity)
    builder.visit(request.filter)
    if isOrdered { for ordering in request.orderings { builder.visit(ordering.operand) } }
    for operand in request.selection + (request.groupLimit?.keys ?? []) { builder.visit(operand) }
    if let model { try builder.addModels(of: model, schema) }
    sources = builder.sources
    tables = Set(
      sources.flatMap { source in
        [source.entity.name]
          + source.dependents.compactMap { dependent in
            if case .table(let table, _) = dependent.link { table.name } else { nil }
          }
      })
  }
}
