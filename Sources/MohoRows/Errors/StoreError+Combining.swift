import MohoMapping

extension StoreError {
  /// The errors of a call that saves several models, in the order in which they were found,
  /// or only this error. They are `StoreError`s and `MappingError`s.
  ///
  /// If there are several, the other properties are those of the first `StoreError`, or
  /// describe all of them. A call ends after 100 errors. If it finds invalid models only, it
  /// throws a `MappingError`, whose `errors` are those of all invalid models.
  ///
  /// ```swift
  /// do {
  ///   try store.write { try $0.save(episodes) }
  /// } catch let error as StoreError {
  ///   for case let failure as StoreError in error.errors { print(failure.path, failure.keys) }
  /// }
  /// ```
  public var errors: [any Error] { several.isEmpty ? [self] : several }

  /// Combines errors, at least one of which is a `StoreError`.
  init(combining errors: [any Error]) {
    let found = errors.lazy.compactMap { $0 as? StoreError }.first
    self = found ?? StoreError(.database, reason: "\(errors)")
    if errors.count > 1 { several = errors }
  }

  /// Sets the errors that this error describes.
  mutating func summarize(_ errors: [StoreError]) {
    if errors.count > 1 { several = errors }
    isSummary = true
  }

  /// Whether the error is about the values of a row, so that other rows can be written.
  package var isAboutRow: Bool {
    let codes: [Code] = [
      .notUnique, .missingValue, .invalidValue, .danglingReference, .constraint,
    ]
    return codes.contains(code)
  }

  /// Whether a row has values that must be unique.
  package var isAboutUniqueness: Bool {
    errors.contains { ($0 as? StoreError)?.code == .notUnique }
  }

  /// Returns the error with other positions of models.
  func mappingElements(_ position: (Int) -> Int) -> StoreError {
    var error = self
    if case .index(let index)? = path?.components.first {
      let rest = (path?.components ?? []).dropFirst()
      error.path = FieldPath([.index(position(index))] + rest)
    }
    error.several = several.map { error in
      (error as? StoreError)?.mappingElements(position)
        ?? (error as? MappingError)?.mappingElements(position) ?? error
    }
    return error
  }

  /// Adds the row that the error is about.
  package mutating func name(_ row: GraphRow) {
    guard code == .danglingReference,
      let link = row.node.links.first(where: { "`\($0.label)`" == subject })
    else {
      subject = subject ?? row.description
      return
    }
    entity = row.node.name
    keys = [link.name]
    subject = "`\(link.label)` of \(row.description)"
  }

  /// The messages of several errors. Errors with the same message are one line.
  var lines: [String] {
    var order: [String] = []
    var groups: [String: (error: StoreError, subjects: [String])] = [:]
    for case let error as StoreError in several {
      let message = error.message([])
      if groups[message] == nil { order.append(message) }
      groups[message, default: (error, [])].subjects += [error.subject].compactMap { $0 }
    }
    let lines = order.compactMap { groups[$0] }.map { group in
      group.error.message(Self.shortened(group.subjects))
    }
    let invalid = MappingError(several.compactMap { $0 as? MappingError })
    return lines + [invalid?.description].compactMap { $0 }
  }

  /// The subjects that a message names.
  private static func shortened(_ subjects: [String]) -> [String] {
    let limit = 5
    if subjects.count <= limit { return subjects }
    return Array(subjects.prefix(limit)) + ["and \(subjects.count - limit) more"]
  }
}
