import MohoMapping

/// The tables that a result is made of, and how a row of one of them leads to
/// rows of the result.
///
/// The first is the result's own table. Another is a source for a filter, an
/// ordering or a section, or for the models that the result's models contain;
/// one table may be several sources.
package struct ResultSources: Sendable {
  /// What becomes of a row of the result where a row that it is made of has
  /// changed.
  enum Effect: Hashable, Sendable {
    /// It may have another place, or none.
    case place
    /// The value of a key is another.
    case content(key: String)
  }

  /// The way from a source to the one whose rows are linked to it.
  struct Owner: Sendable {
    let source: Int
    /// The name of the owner's relationship.
    let relationship: String
    let link: Link
    /// Whether the order of the linked rows matters.
    let isOrdered: Bool
    /// What becomes of the owner, where that is a row of the result.
    let effect: Effect

    /// The columns in the table of the linked rows that hold the link.
    var linkColumns: Set<String> {
      guard case .inverseColumn(let column, let position) = link else { return [] }
      return Set([column] + (isOrdered ? [position].compactMap { $0 } : []))
    }
  }

  struct Source: Sendable {
    let entity: Entity
    /// The columns that the request or the models read.
    var columns: Set<String>
    var owners: [Owner] = []

    /// Whether an owner is affected by a row of which some columns have changed.
    func affects(_ owner: Owner, changing names: Set<String>) -> Bool {
      !columns.isDisjoint(with: names) || !owner.linkColumns.isDisjoint(with: names)
    }
  }

  private(set) var sources: [Source]

  /// The columns of the result's own table that filters, orderings and sections
  /// read.
  package var placeColumns: Set<String> { sources[0].columns }

  /// The relationships of the result's own rows whose links are in their own
  /// table, with what becomes of a row where another one that it is linked to
  /// has changed.
  var ownLinks: [(column: String, effect: Effect)] {
    sources.flatMap(\.owners).filter { $0.source == 0 && $0.link == .column }
      .map { ($0.relationship, $0.effect) }
  }

  /// The names of the tables, with those of links.
  package let tables: Set<String>

  /// The keys of the result's models that hold other models, or what is read
  /// from other tables.
  package var relatedKeys: [String] {
    var keys: [String] = []
    for owner in sources.flatMap(\.owners) {
      if case .content(let key) = owner.effect, !keys.contains(key) { keys.append(key) }
    }
    return keys
  }

  /// The names of the tables that models are made of.
  package var contentTables: Set<String> {
    var names: Set<String> = [sources[0].entity.name]
    for source in sources {
      for owner in source.owners {
        guard case .content = owner.effect else { continue }
        names.insert(source.entity.name)
        if case .table(let table, _) = owner.link { names.insert(table.name) }
      }
    }
    return names
  }

  init(
    of request: ResolvedRequest, _ model: any MappedModel.Type, _ schema: Schema
  ) throws {
    var builder = SourceBuilder(request.entity)
    builder.visit(request.filter)
    for ordering in request.orderings { builder.visit(ordering.operand) }
    try builder.addModels(of: model, schema)
    sources = builder.sources
    tables = Set(
      sources.flatMap { source in
        [source.entity.name]
          + source.owners.compactMap { owner in
            if case .table(let table, _) = owner.link { table.name } else { nil }
          }
      })
  }
}
