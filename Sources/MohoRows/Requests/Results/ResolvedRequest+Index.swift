extension ResolvedRequest {
  /// The keys of an index that would support the conditions and orderings. Keys
  /// that must equal constants come first, followed by the first key with a
  /// range condition or by the keys of the orderings. The keys of groups precede the keys of
  /// the orderings, which sort the rows of each group. Empty if the entity already has such an
  /// index, or if no key would help.
  package var suggestedIndex: [String] {
    var equal: [String] = []
    var ranges: [String] = []
    for condition in filter.conjuncts {
      switch condition {
      case .comparison(let operand, let comparison, .constant, as: .plain):
        guard let name = operand.ownKey else { continue }
        switch comparison {
        case .equal: equal.append(name)
        case .less, .lessOrEqual, .greater, .greaterOrEqual: ranges.append(name)
        case .notEqual: break
        }
      case .oneOf(let operand, _, orNull: false):
        if operand.type != .decimal, let name = operand.ownKey { equal.append(name) }
      default: break
      }
    }
    var keys = equal
    let sorted = orderings.prefix {
      $0.operand.ownKey != nil && !$0.ordering.transformsText && $0.operand.type != .decimal
        && $0.ordering.direction == orderings[0].ordering.direction
    }
    let groups = groupLimit?.count == nil ? [] : groupLimit?.keys.map(\.ownKey) ?? []
    if !ranges.isEmpty {
      keys.append(ranges[0])
    } else if groups.allSatisfy({ $0 != nil }) {
      keys += groups.compactMap { $0 } + sorted.compactMap(\.operand.ownKey)
    }
    var seen: Set<String> = []
    keys = keys.filter { $0 != entity.identityColumn && seen.insert($0).inserted }
    let exists = (entity.indexes + entity.uniqueKeys).contains { $0.starts(with: keys) }
    return exists ? [] : keys
  }
}

extension ResolvedFilter {
  /// The conditions of a conjunction, or the condition itself.
  package var conjuncts: [ResolvedFilter] {
    if case .and(let filters) = self { filters.flatMap(\.conjuncts) } else { [self] }
  }
}

extension ResolvedOperand {
  /// The name of the attribute, if the operand is an attribute of the request's
  /// own rows.
  package var ownKey: String? {
    guard case .value(let path, let attribute) = self, path.level == 0, path.steps.isEmpty
    else { return nil }
    return attribute.name
  }
}
