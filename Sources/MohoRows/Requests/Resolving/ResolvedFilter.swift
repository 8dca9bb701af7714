package import MohoMapping

/// A condition whose keys have been found in a schema and whose types have been
/// checked. It is the input of SQL generation and of in-memory evaluation.
package indirect enum ResolvedFilter: Sendable {
  case comparison(ResolvedOperand, Filter.Comparison, ResolvedOperand, as: ComparedType)
  /// The value is one of the given values, which are not null. With `orNull`, a
  /// null value matches, too.
  case oneOf(ResolvedOperand, [FieldContent], orNull: Bool)
  case text(ResolvedOperand, TextMatch)
  /// The searchable keys of a row contain all words of a text.
  case search(RowReferencePath, ResolvedSearch)
  /// A to-one relationship refers to a row.
  case isLinked(RowReferencePath)
  /// Two to-one relationships refer to the same row, or both refer to no row.
  case isSame(RowReferencePath, RowReferencePath)
  case related(RelatedRows, Filter.Quantifier, ResolvedFilter)
  case and([ResolvedFilter])
  case or([ResolvedFilter])
  case not(ResolvedFilter)

  static var always: ResolvedFilter { .and([]) }
  static var never: ResolvedFilter { .or([]) }

  package var isAlways: Bool { if case .and(let filters) = self { filters.isEmpty } else { false } }
}

/// An operand whose keys have been found in a schema.
package indirect enum ResolvedOperand: Sendable {
  case value(RowReferencePath, Attribute)
  /// The value of a key of the nested model that an attribute stores.
  case nested(RowReferencePath, Attribute, NestedKey)
  /// The identity of a row, or null if the row does not exist.
  case identity(RowReferencePath)
  case constant(FieldContent)
  case arithmetic(ResolvedOperand, Arithmetic, ResolvedOperand, ValueType)
  case indexLetter(ResolvedOperand, locale: String?)
  case count(RelatedRows, ResolvedFilter)
  /// The value if the row satisfies the filter, or null.
  case filtered(ResolvedOperand, ResolvedFilter)
  /// A value that a full-text index provides for the rows of the request.
  case search(ResolvedSearchValue)

  package var type: ValueType {
    switch self {
    case .value(_, let attribute): ValueType(attribute.type)
    case .nested(_, _, let key): ValueType(key.path.form)
    case .identity, .count: .integer
    case .constant(let content): ValueType(content) ?? .null
    case .arithmetic(_, _, _, let type): type
    case .indexLetter: .string
    case .filtered(let value, _): value.type
    case .search(let search): search.value == .relevance ? .double : .string
    }
  }

  /// Whether the operand is a constant other than null.
  package var isValue: Bool {
    if case .constant(let content) = self { !content.isNull } else { false }
  }
}

/// The row of a condition, or a row that is reached from it through to-one
/// relationships.
package struct RowReferencePath: Hashable, Sendable {
  /// The number of quantifiers between the condition and the row where the path
  /// starts.
  package let level: Int
  package var steps: [Step] = []
  /// The entity of the row at the end of the path.
  package let entity: Entity

  package struct Step: Hashable, Sendable {
    package let relationship: String
    package let link: LinkStorage
    package let destination: Entity
  }

  func following(_ step: Step) -> RowReferencePath {
    RowReferencePath(level: level, steps: steps + [step], entity: step.destination)
  }
}

/// The rows of a to-many relationship.
package struct RelatedRows: Hashable, Sendable {
  package let owner: RowReferencePath
  package let relationship: String
  package let link: LinkStorage
  package let entity: Entity
}
