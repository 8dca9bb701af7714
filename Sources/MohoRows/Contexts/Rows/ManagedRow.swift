/// A row of an ``EditingContext``. Values are accessed by the names of the
/// entity's keys or by the properties of a model.
///
/// ```swift
/// let title = try row[\Episode.title]
/// try row.set("season", to: 2)
/// try row.add(chapter, to: "chapters")
/// ```
///
/// Values are read from the store when they are first accessed, so accessing
/// them can throw. A row retains its context. After ``EditingContext/reset()``,
/// the row is invalid. Not `Sendable`, like its context.
public final class ManagedRow {
  /// The entity of the row.
  public let entity: Entity

  /// The context of the row.
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

  /// Stores the identity, which remains accessible after the context is reset.
  func detach() { lastIdentity = context.graph[handle].identity }

  /// The identity of the row. It is temporary until the row is saved.
  public var identity: RowIdentity { owner?.graph[handle].identity ?? lastIdentity }

  /// The state of the row relative to the store. ``RowState/detached`` if the
  /// context has been reset.
  public var state: RowState { owner?.graph.state(of: handle) ?? .detached }

  /// A Boolean value indicating whether the values have not been read yet.
  public var isFault: Bool { owner?.graph[handle].isFault ?? false }

  private var owner: EditingContext? { context.owns(self) ? context : nil }

  /// - Throws: A ``StoreError`` if the context has been reset.
  var requiredContext: EditingContext {
    get throws {
      guard let owner else {
        throw StoreError(
          .invalidRequest, subject: "\(lastIdentity)", reason: "the context of the row was reset",
          suggestion: "use `row(_:)` of the context with the identity of the row")
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
  /// Returns a Boolean value indicating whether both are the same row of the
  /// same context.
  public static func == (one: ManagedRow, other: ManagedRow) -> Bool { one === other }

  /// Hashes the object identity of the row.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
