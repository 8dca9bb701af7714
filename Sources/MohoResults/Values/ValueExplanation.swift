import MohoMapping
public import MohoRows

/// An explanation of how an observed value is read, and how it follows commits.
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
    /// From the rows that the commit has changed.
    ///
    /// A sum that exceeds 64 bits or the range of `Decimal` is read by a statement, which
    /// throws an error. All values are read if another program has stored a value that does
    /// not have the type of its key.
    case changedRows
    /// From the rows that the commit has changed. If the 16 smallest or greatest values of a
    /// group have been removed, the value is found among the stored values of all rows.
    case changedOrAllRows
    /// By a statement.
    case statement
  }

  /// A value, and how it follows commits.
  public struct Part: Sendable, Hashable {
    /// The name of the aggregate, key or entity.
    public let name: String
    /// How the value follows commits.
    public let strategy: Strategy
  }

  /// How the store reads the rows when the observation starts.
  public let request: RequestExplanation

  /// The observed values.
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
    if case .aggregating(let aggregates, _) = query.computation {
      // Checks the types of the values.
      _ = try order(of: aggregates)
    }
    return ValueExplanation(request: try session.explain(query.request), parts: query.parts)
  }
}

extension ModelStore {
  /// Explains how an observed value is read, and how it follows commits.
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
