extension Mapping {
  /// The mapping, of whose models no two in a store have the same values of
  /// some keys, all of them taken together.
  ///
  /// ```swift
  /// .unique(\.podcast, \.number)
  /// ```
  ///
  /// Models of which one of the values is nil are not compared. Which row of the
  /// store a model is tells its unique key alone: saving another model with the
  /// same values is an error.
  ///
  /// A relation to one can be among the keys: the row that it leads to.
  public func unique(_ keyPaths: any PartialKeyPath<Model> & Sendable...) -> Self {
    adding(keyPaths, "a unique key") { $0.uniqueKeys.append($1) }
  }

  /// The mapping, of whose models a store keeps an index on some keys, the first
  /// weighing most: for requests that order by all of them, or filter by the
  /// first and order by the others.
  ///
  /// ```swift
  /// .indexed(\.season, \.publishedAt)
  /// ```
  public func indexed(_ keyPaths: any PartialKeyPath<Model> & Sendable...) -> Self {
    adding(keyPaths, "an index") { $0.indexes.append($1) }
  }

  private func adding(
    _ keyPaths: [any PartialKeyPath<Model> & Sendable], _ what: String,
    _ add: (inout Self, [String]) -> Void
  ) -> Self {
    var mapping = self
    let issues = keyPaths.compactMap { issue(of: $0, in: what) }
    mapping.declaredIssues += issues
    if keyPaths.isEmpty {
      mapping.declaredIssues.append(DeclarationIssue("there is \(what) on nothing"))
    } else if issues.isEmpty {
      add(&mapping, keyPaths.compactMap { key(for: $0)?.name })
    }
    return mapping
  }

  private func issue(of keyPath: PartialKeyPath<Model>, in what: String) -> DeclarationIssue? {
    guard let key = key(for: keyPath) else {
      return DeclarationIssue("there is \(what) on `\(keyPath)`, which is no key")
    }
    if !key.isStored || key.relation?.models.isToMany == true {
      return DeclarationIssue("there is \(what) on `\(keyPath)`, which is no column")
    }
    return nil
  }
}
