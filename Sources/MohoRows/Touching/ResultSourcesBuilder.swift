import MohoMapping

/// Finds the tables that a request and its models read.
struct ResultSourcesBuilder {
  private(set) var sources: [ResultSources.Source]
  /// The sources of the rows that the current condition refers to, innermost
  /// last.
  private var scopes = [0]
  private var sourcesByStep: [Step: Int] = [:]

  /// A relationship that a request follows from a source.
  private struct Step: Hashable {
    let source: Int
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
    case .search(let path, let search):
      let source = source(of: path)
      sources[source].columns.formUnion(search.keys)
    case .isLinked(let path): source(of: path)
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
    case .value(let path, let attribute), .nested(let path, let attribute, _):
      let source = source(of: path)
      sources[source].columns.insert(attribute.name)
    case .identity(let path): source(of: path)
    case .constant: break
    case .arithmetic(let left, _, let right, _):
      visit(left)
      visit(right)
    case .indexLetter(let text, _): visit(text)
    case .count(let rows, let filter): visit(rows, filter)
    case .filtered(let value, let filter):
      visit(value)
      visit(filter)
    case .search(let search): sources[0].columns.formUnion(search.index.keys)
    }
  }

  private mutating func visit(_ rows: RelatedRows, _ filter: ResolvedFilter) {
    let dependent = source(of: rows.owner)
    scopes.append(step(from: dependent, rows.relationship, rows.link, to: rows.entity))
    visit(filter)
    scopes.removeLast()
  }

  /// Returns the source of a row.
  @discardableResult
  private mutating func source(of path: RowReferencePath) -> Int {
    var source = scopes[scopes.count - 1 - path.level]
    for step in path.steps {
      source = self.step(from: source, step.relationship, step.link, to: step.destination)
    }
    return source
  }

  private mutating func step(
    from dependent: Int, _ relationship: String, _ link: LinkStorage, to entity: Entity
  ) -> Int {
    let step = Step(source: dependent, relationship: relationship)
    if link == .column { sources[dependent].columns.insert(relationship) }
    if let source = sourcesByStep[step] { return source }
    let source = add(
      entity, [],
      ResultSources.Dependent(
        source: dependent, relationship: relationship, link: link, isOrdered: false,
        effect: .position))
    sourcesByStep[step] = source
    return source
  }

  /// Adds the rows that the models of a result contain, at any nesting level.
  mutating func addModels(of model: any MappedModel.Type, _ schema: Schema) throws {
    let schema = schema.compiled
    var nested: [ObjectIdentifier: Int] = [:]
    var pending = [(node: try schema.node(of: model), source: 0)]
    while let (node, source) = pending.popLast() {
      for link in node.links {
        let target = try schema.node(of: link.target)
        let dependent = ResultSources.Dependent(
          source: source, relationship: link.name, link: link.storage,
          isOrdered: link.relation.models.isOrdered, effect: .content(key: link.name))
        if link.isReference {
          addReference(target.entity, dependent, schema)
        } else if let known = nested[ObjectIdentifier(link.target)] {
          sources[known].dependents.append(dependent)
        } else {
          let source = add(target.entity.entity, target.columnNames, dependent)
          nested[ObjectIdentifier(link.target)] = source
          pending.append((target, source))
        }
      }
    }
  }

  /// Adds the rows whose unique keys are references in a model.
  private mutating func addReference(
    _ target: CompiledEntity, _ dependent: ResultSources.Dependent, _ schema: CompiledSchema
  ) {
    let columns = target.isKeyedByIdentity ? [] : Set(target.entity.identifyingKeys)
    // If the row's own column contains the reference, no other row is read.
    if dependent.link == .column && columns.isEmpty { return }
    let source = add(target.entity, columns, dependent)
    for link in target.identifyingLinks {
      addReference(
        schema.entities[link.destination],
        ResultSources.Dependent(
          source: source, relationship: link.name, link: link.storage, isOrdered: false,
          effect: .content(key: link.name)),
        schema)
    }
  }

  @discardableResult
  private mutating func add(
    _ entity: Entity, _ columns: Set<String>, _ dependent: ResultSources.Dependent
  ) -> Int {
    sources.append(
      ResultSources.Source(entity: entity, columns: columns, dependents: [dependent]))
    return sources.count - 1
  }
}
