import MohoMapping
public import MohoRows

/// An explanation of how an observed value is read, and how it follows commits.
///
/// The strategies are those of usual commits. All rows are read again after a commit of very
/// many rows, after an incomplete commit or an error, and as long as another program stores a
/// value that does not have the type of its key.
///
/// ```swift
/// print(try store.explain(.aggregates(tasks) { [.sum($0.hours), .minimum($0.due)] }))
/// ```
/// ```
/// SELECT t0."_moho_id", t0."title", t0."hours", t0."due" FROM "Task" AS t0
/// SCAN t0
/// sum(hours): computed from the changed rows
/// minimum(due): computed from the changed rows, or found among all rows
/// ```
public struct ValueExplanation: Sendable, Hashable {
  /// How a value is found after a commit that may have changed it.
  public enum Strategy: Sendable, Hashable {
    /// The value is computed from the rows that the commit has changed.
    ///
    /// If a sum exceeds 64 bits or the range of `Decimal`, a statement reads it and throws.
    case changedRows
    /// The value is computed from the rows that the commit has changed. If the 16 smallest or
    /// greatest values of a group have been removed, it is found among the values of all rows,
    /// which are in memory.
    case changedOrAllRows
    /// A statement reads the value again, at the cost of the request.
    case statement
  }

  /// A value, and how it follows commits.
  public struct Part: Sendable, Hashable {
    /// The name of the aggregate, of the key, or of the entity of models. A Boolean value of
    /// `exists` follows from the `count`.
    public let name: String
    /// How the value follows commits.
    public let strategy: Strategy
  }

  /// How the store reads the rows: those within the limit if a statement reads the value
  /// again, otherwise all rows that meet the conditions, in any order. The statement has all
  /// keys, of which the observation reads those that it needs.
  public let request: RequestExplanation

  /// The values, without the keys of groups.
  public let parts: [Part]
}

extension ValueExplanation: CustomStringConvertible {
  /// The explanation of the request, and a line for each value.
  public var description: String {
    ([request.description] + parts.map(\.description)).joined(separator: "\n")
  }
}

extension ValueExplanation.Part: CustomStringConvertible {
  /// The name, and the strategy in words.
  public var description: String {
    switch strategy {
    case .changedRows: "\(name): computed from the changed rows"
    case .changedOrAllRows: "\(name): computed from the changed rows, or found among all rows"
    case .statement: "\(name): read again"
    }
  }
}

extension StoreReader {
  /// Explains how an observed value is read, and how it follows commits. Does not read the
  /// value.
  ///
  /// - Throws: A `StoreError` if the request is invalid.
  public func explain(_ query: ValueQuery<some Any>) throws -> ValueExplanation {
    // These check the keys and the types of the values.
    _ = try ResultDefinition(query.request, selecting: query.operands, of: query.model, schema)
    if case .aggregating(let aggregates, _) = query.computation { _ = try order(of: aggregates) }
    let parts = query.parts
    let isRead = parts.contains { $0.strategy == .statement }
    return ValueExplanation(
      request: try session.explain(isRead ? query.request : query.request.unpaged.unordered),
      parts: parts)
  }
}

extension ModelStore {
  /// Explains how an observed value is read, and how it follows commits. Blocks the calling
  /// thread.
  ///
  /// - Throws: The errors of `StoreReader.explain(_:)`.
  public func explain(_ query: ValueQuery<some Any>) throws -> ValueExplanation {
    try read { try $0.explain(query) }
  }
}

extension ValueQuery {
  fileprivate var parts: [ValueExplanation.Part] {
    switch computation {
    case .counting: [.init(name: "count", strategy: .changedRows)]
    case .aggregating(let aggregates, _):
      aggregates.aggregates.map {
        .init(name: $0.name, strategy: aggregates.request.isPaged ? .statement : $0.strategy)
      }
    case .reading:
      (operands.isEmpty ? [request.entity] : operands.map(\.description)).map {
        .init(name: $0, strategy: .statement)
      }
    }
  }
}

extension Aggregate {
  fileprivate var strategy: ValueExplanation.Strategy {
    switch function {
    case .count, .distinctCount, .sum, .average: .changedRows
    case .minimum, .maximum: .changedOrAllRows
    }
  }
}
