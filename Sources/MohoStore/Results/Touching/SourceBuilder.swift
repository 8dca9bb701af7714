import MohoMapping

/// Finds the tables that a request and its models read.
struct SourceBuilder {
  private(set) var sources: [ResultSources.Source]
  /// The sources whose rows the condition at hand is about, the innermost last.
  private var scopes = [0]
  private var known: [Step: Int] = [:]

  /// A step that a request takes from one source to another.
  private struct Step: Hashable {
    let owner: Int
    let relationship: String
  }

  init(_ entity: Entity) {
    sources = [ResultSources.Source(entity: entity, columns: [])]
  }

  mutating func visit(_ filter: ResolvedFilter) {
    switch filter {
    case .comparison(let left, _, let right, _):
      visit(left)
      visit(right)
    case .oneOf(let operand, _, _), .text(let operand, _): visit(operand)
    case .isLinked(let place): source(of: place)
    case .isSame(let one, let other):
      source(of: one)
      source(of: other)
    case .related(let rows, _, let filter): visit(rows, filter)
    case .and(let filters), .or(let filters): for filter in filters { visit(filter) }
    case .not(let filter): visit(filter)
    }
  }

  mutating func visit(_ operand: ResolvedOperand) {
    switch operand {
    case .value(let place, let attribute):
      let source = source(of: place)
      sources[source].columns.insert(attribute.name)
    case .identity(let place): source(of: place)
    case .constant: break
    case .arithmetic(let left, _, let right, _):
      visit(left)
      visit(right)
    case .count(let rows, let filter): visit(rows, filter)
    }
  }

  private mutating func visit(_ rows: RelatedRows, _ filter: ResolvedFilter) {
    let owner = source(of: rows.owner)
    scopes.append(step(from: owner, rows.relationship, rows.link, to: rows.entity))
    visit(filter)
    scopes.removeLast()
  }

  /// The source that a row belongs to.
  @discardableResult
  private mutating func source(of place: RowPlace) -> Int {
    var source = scopes[scopes.count - 1 - place.level]
    for step in place.steps {
      source = self.step(from: source, step.relationship, step.link, to: step.destination)
    }
    return source
  }

  private mutating func step(
    from owner: Int, _ relationship: String, _ link: Link, to entity: Entity
  ) -> Int {
    let step = Step(owner: owner, relationship: relationship)
    if link == .column { sources[owner].columns.insert(relationship) }
    if let source = known[step] { return source }
    let way = ResultSources.Owner(
      source: owner, relationship: relationship, link: link, isOrdered: false, effect: .place)
    let source = add(entity, [], owner: way)
    known[step] = source
    return source
  }

  /// Adds what the models of a result contain, however deep.
  mutating func addModels(of model: any MappedModel.Type, _ schema: Schema) throws {
    let nodes = ModelNodes(schema)
    var nested: [ObjectIdentifier: Int] = [:]
    var pending = [(node: try nodes.node(of: model), source: 0)]
    while let (node, source) = pending.popLast() {
      for link in node.links {
        let target = try nodes.node(of: link.target)
        let owner = ResultSources.Owner(
          source: source, relationship: link.name, link: link.link,
          isOrdered: link.relation.models.isOrdered, effect: .content(key: link.name))
        if link.isReference {
          addReference(target, owner)
        } else if let known = nested[ObjectIdentifier(link.target)] {
          sources[known].owners.append(owner)
        } else {
          let source = add(target.entity, target.columnNames, owner: owner)
          nested[ObjectIdentifier(link.target)] = source
          pending.append((target, source))
        }
      }
    }
  }

  /// Adds the rows whose unique keys a model holds.
  private mutating func addReference(_ target: ModelNode, _ owner: ResultSources.Owner) {
    var columns: Set<String> = []
    if !target.isKeyedByIdentity {
      columns = Set([target.entity.uniqueAttribute?.name].compactMap { $0 })
    }
    // The column of the row itself says all.
    if owner.link == .column && columns.isEmpty { return }
    add(target.entity, columns, owner: owner)
  }

  @discardableResult
  private mutating func add(
    _ entity: Entity, _ columns: Set<String>, owner: ResultSources.Owner
  ) -> Int {
    sources.append(ResultSources.Source(entity: entity, columns: columns, owners: [owner]))
    return sources.count - 1
  }
}
