import MohoMapping

/// A condition whose keys are found in a schema and whose values fit them: what
/// both evaluators, that of SQL and that of memory, work on.
indirect enum ResolvedFilter: Sendable {
  case comparison(ResolvedOperand, Filter.Comparison, ResolvedOperand, as: ComparedType)
  /// One of values that are not null, or nil where that is one of them.
  case oneOf(ResolvedOperand, [FieldContent], orNull: Bool)
  case text(ResolvedOperand, TextMatch)
  /// Whether a relationship to one leads to a row.
  case isLinked(RowPlace)
  /// Whether two relationships lead to the same row, or both to none.
  case isSame(RowPlace, RowPlace)
  case related(RelatedRows, Filter.Quantifier, ResolvedFilter)
  case and([ResolvedFilter])
  case or([ResolvedFilter])
  case not(ResolvedFilter)

  static var always: ResolvedFilter { .and([]) }
  static var never: ResolvedFilter { .or([]) }

  var isAlways: Bool { if case .and(let filters) = self { filters.isEmpty } else { false } }
}

/// A value whose keys are found in a schema.
indirect enum ResolvedOperand: Sendable {
  case value(RowPlace, Attribute)
  /// The identity of a row, or null where there is none.
  case identity(RowPlace)
  case constant(FieldContent)
  case arithmetic(ResolvedOperand, Arithmetic, ResolvedOperand, ValueType)
  case count(RelatedRows, ResolvedFilter)

  var type: ValueType {
    switch self {
    case .value(_, let attribute): ValueType(attribute.type)
    case .identity, .count: .integer
    case .constant(let content): ValueType(content) ?? .null
    case .arithmetic(_, _, _, let type): type
    }
  }
}

/// A row: that which a condition is about, or the one that relationships to one
/// lead to from it.
struct RowPlace: Hashable, Sendable {
  /// How many quantifiers lie between the condition and the row that it starts
  /// at.
  let level: Int
  var steps: [Step] = []
  /// The entity of the row.
  let entity: Entity

  struct Step: Hashable, Sendable {
    let relationship: String
    let link: Link
    let destination: Entity
  }

  func following(_ step: Step) -> RowPlace {
    RowPlace(level: level, steps: steps + [step], entity: step.destination)
  }
}

/// The rows that a relationship to many leads to.
struct RelatedRows: Hashable, Sendable {
  let owner: RowPlace
  let relationship: String
  let link: Link
  let entity: Entity
}
