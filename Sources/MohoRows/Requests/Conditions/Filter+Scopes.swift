extension Filter {
  /// Builds a filter by calling a closure with the keys of a row.
  ///
  /// Closures can be nested, and an inner closure can use the keys of an outer
  /// one. The number of quantifiers between a key and its row is known only
  /// after the closure has returned. `closing(_:at:)` then replaces the open
  /// scope with that number.
  static func scoped(_ body: (KeyName) -> Filter) -> Filter {
    let scope = OpenScope()
    return body(KeyName([], scope: .open(scope))).closing(scope, at: 0)
  }

  fileprivate func closing(_ scope: OpenScope, at level: Int) -> Filter {
    switch kind {
    case .comparison(let left, let comparison, let right):
      .comparison(left.closing(scope, at: level), comparison, right.closing(scope, at: level))
    case .oneOf(let operand, let values): .oneOf(operand.closing(scope, at: level), values)
    case .text(let operand, let match): .text(operand.closing(scope, at: level), match)
    case .search(let name, let text, let keys):
      .search(
        name.closing(scope, at: level), text, in: keys.map { $0.closing(scope, at: level) })
    case .row(let name, let reference): .row(name.closing(scope, at: level), reference)
    case .related(let name, let quantifier, let filter):
      .related(
        name.closing(scope, at: level), quantifier, filter.closing(scope, at: level + 1))
    case .and(let filters): .and(filters.map { $0.closing(scope, at: level) })
    case .or(let filters): .or(filters.map { $0.closing(scope, at: level) })
    case .not(let filter): .not(filter.closing(scope, at: level))
    case .invalid: self
    }
  }
}

extension Operand {
  /// Builds an operand by calling a closure with the keys of a row.
  static func scoped(_ body: (KeyName) -> Operand) -> Operand {
    let scope = OpenScope()
    return body(KeyName([], scope: .open(scope))).closing(scope, at: 0)
  }

  func closing(_ scope: OpenScope, at level: Int) -> Operand {
    switch kind {
    case .key(let name): .key(name.closing(scope, at: level))
    case .constant, .invalid: self
    case .arithmetic(let left, let operation, let right):
      .arithmetic(left.closing(scope, at: level), operation, right.closing(scope, at: level))
    case .indexLetter(let text, let locale):
      .indexLetter(text.closing(scope, at: level), locale: locale)
    case .search(let name, let value): .search(name.closing(scope, at: level), value)
    case .filtered(let value, let filter):
      .filtered(value.closing(scope, at: level), filter.closing(scope, at: level))
    case .count(let name, let filter):
      .count(name.closing(scope, at: level), filter.closing(scope, at: level + 1))
    }
  }
}

extension KeyName {
  fileprivate func closing(_ scope: OpenScope, at level: Int) -> KeyName {
    guard self.scope == .open(scope) else { return self }
    var name = self
    name.scope = .level(level)
    return name
  }
}
