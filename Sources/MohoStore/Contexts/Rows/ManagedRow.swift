/// A row in an ``EditingContext``, by the names of its entity's keys or by the
/// properties of a model.
///
/// ```swift
/// let title = try row[\Episode.title]
/// try row.set("season", to: 2)
/// try row.add(chapter, to: "chapters")
/// ```
///
/// Values are read from the store when they are asked for first, so getting
/// them may throw. A row keeps its context alive, and is of no use once that is
/// reset. Not `Sendable`, as its context.
public final class ManagedRow {
  /// The row's entity.
  public let entity: Entity

  /// The context that the row belongs to.
  public let context: EditingContext

  let handle: Int
  let generation: Int
  private var lastIdentity: RowIdentity

  init(_ context: EditingContext, _ handle: Int, _ entity: Entity, generation: Int) {
    self.context = context
    self.handle = handle
    self.entity = entity
    self.generation = generation
    lastIdentity = context.graph[handle].identity
  }

  /// Keeps what can be asked of the row once its context is reset.
  func letGo() { lastIdentity = context.graph[handle].identity }

  /// Which row it is: a temporary identity until the row is saved.
  public var identity: RowIdentity { owner?.graph[handle].identity ?? lastIdentity }

  /// What saving would make of the row; ``RowState/detached`` where the context
  /// was reset.
  public var state: RowState { owner?.graph.state(of: handle) ?? .detached }

  /// Whether the row's values were not read yet.
  public var isFault: Bool { owner?.graph[handle].isFault ?? false }

  private var owner: EditingContext? { context.owns(self) ? context : nil }

  /// - Throws: ``StoreError`` where the context was reset.
  var requiredContext: EditingContext {
    get throws {
      guard let owner else {
        throw StoreError(
          .invalidRequest, subject: "\(lastIdentity)", reason: "the context of the row was reset",
          suggestion: "ask the context for the row of its identity")
      }
      return owner
    }
  }
}

extension ManagedRow: CustomStringConvertible {
  /// The identity and the state.
  public var description: String { "\(identity) (\(state))" }
}

extension ManagedRow: Hashable {
  /// Whether both are one row of one context.
  public static func == (one: ManagedRow, other: ManagedRow) -> Bool { one === other }

  /// Hashes which object it is.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
