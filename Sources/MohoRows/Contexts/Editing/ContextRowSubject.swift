package import MohoMapping

/// A row of a context, for evaluating filters and orderings in memory.
package struct ContextRowSubject: FilterSubject {
  let row: Int
  private let context: EditingContext

  package init(_ context: EditingContext, _ row: Int) {
    self.context = context
    self.row = row
  }

  package func value(of key: String) -> FieldContent {
    let entity = context.graph.entity(of: row)
    if let index = entity.attribute(key) {
      return read { try context.requireValues(row).attributes[index].stored } ?? .null
    }
    guard key == entity.identityColumn else { return .null }
    return context.graph[row].identity.stored.map { .int64($0) } ?? .null
  }

  package func related(by key: String) -> [any FilterSubject] {
    guard let relationship = context.graph.entity(of: row).relationship(key) else { return [] }
    let partners = read { try context.partners(of: row, relationship) } ?? []
    return partners.map { ContextRowSubject(context, $0) }
  }

  /// Filters cannot throw, so the context stores the first error. See
  /// `reading(_:)`.
  private func read<Value>(_ body: () throws -> Value) -> Value? {
    do {
      return try body()
    } catch {
      context.readError = context.readError ?? error
      return nil
    }
  }
}
