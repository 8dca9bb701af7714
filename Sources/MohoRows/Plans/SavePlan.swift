public import MohoMapping

/// The changes that saving models would make. You can print and compare plans.
/// A plan can be applied if the rows have not changed in the meantime.
///
/// ```swift
/// let plan = try store.plan(saving: episodes)
/// print(plan)
/// try store.apply(plan)
/// ```
///
/// Rows are identified by their unique keys. Values are the values of columns.
/// The value of a link column is the unique key of the linked row.
///
/// Two plans are equal if they would write the same changes. A plan retains its
/// models and every row that would change.
public struct SavePlan: Sendable {
  /// A row in a plan.
  public struct Row: Sendable, Hashable {
    /// The name of the row's entity.
    public let entity: String
    /// The value of the row's unique key. If the entity has no unique key, the
    /// identity of the row in its table, or null for a new row.
    public let key: FieldContent

    package init(entity: String, key: FieldContent) {
      self.entity = entity
      self.key = key
    }
  }

  /// A value of a row.
  public struct Value: Sendable, Hashable {
    /// The name of the key. If the inverse is an ordered to-many relationship,
    /// the position of the row among the rows of its owner is also a value,
    /// such as `podcast#position`.
    public let key: String
    /// The value.
    public let content: FieldContent

    package init(key: String, content: FieldContent) {
      self.key = key
      self.content = content
    }
  }

  /// A value of a row that changes.
  public struct Change: Sendable, Hashable {
    /// The name of the key, in the form of ``Value/key``.
    public let key: String
    /// The old value.
    public let old: FieldContent
    /// The new value.
    public let new: FieldContent

    package init(key: String, old: FieldContent, new: FieldContent) {
      self.key = key
      self.old = old
      self.new = new
    }
  }

  /// A new row.
  public struct Insert: Sendable, Hashable {
    /// The row.
    public let row: Row
    /// The values of the row, except the unique key and null.
    public let values: [Value]

    package init(row: Row, values: [Value]) {
      self.row = row
      self.values = values
    }
  }

  /// A row that changes.
  public struct Update: Sendable, Hashable {
    /// The row.
    public let row: Row
    /// The values that change, in declaration order.
    public let changes: [Change]

    package init(row: Row, changes: [Change]) {
      self.row = row
      self.changes = changes
    }
  }

  /// A deleted row. Rows that are deleted because of another deletion are
  /// included.
  public struct Delete: Sendable, Hashable {
    /// The row.
    public let row: Row
    /// The values of the row, except the unique key and null.
    public let values: [Value]

    package init(row: Row, values: [Value]) {
      self.row = row
      self.values = values
    }
  }

  /// A link in a link table.
  public struct Link: Sendable, Hashable {
    /// The relationship, such as `Episode.tags`.
    public let relationship: String
    /// The row at the source end of the relationship.
    public let source: Row
    /// The row at the target end of the relationship.
    public let target: Row
    /// The position among the rows of the source, starting at 0, or nil if the
    /// rows are not ordered.
    public let position: Int64?

    package init(relationship: String, source: Row, target: Row, position: Int64?) {
      self.relationship = relationship
      self.source = source
      self.target = target
      self.position = position
    }
  }

  /// The new rows, sorted by entity and unique key.
  public let inserts: [Insert]
  /// The changed rows, sorted by entity and unique key.
  public let updates: [Update]
  /// The deleted rows, sorted by entity and unique key.
  public let deletes: [Delete]
  /// The new links.
  public let links: [Link]
  /// The removed links. If the position of a link changes, the link is removed
  /// and added again.
  public let unlinks: [Link]
  /// The number of unchanged rows. See ``SaveReport/unchanged``.
  public let unchanged: Int

  /// Saves the models of the plan.
  package let save: @Sendable (StoreWriter) throws -> SaveReport

  package init(
    inserts: [Insert], updates: [Update], deletes: [Delete], links: [Link], unlinks: [Link],
    unchanged: Int, save: @escaping @Sendable (StoreWriter) throws -> SaveReport
  ) {
    self.inserts = inserts
    self.updates = updates
    self.deletes = deletes
    self.links = links
    self.unlinks = unlinks
    self.unchanged = unchanged
    self.save = save
  }

  /// A Boolean value indicating whether the plan makes no changes.
  public var isEmpty: Bool {
    inserts.isEmpty && updates.isEmpty && deletes.isEmpty && links.isEmpty && unlinks.isEmpty
  }
}

extension SavePlan: Hashable {
  /// Returns a Boolean value indicating whether two plans would write the same
  /// changes.
  public static func == (one: SavePlan, other: SavePlan) -> Bool {
    one.inserts == other.inserts && one.updates == other.updates && one.deletes == other.deletes
      && one.links == other.links && one.unlinks == other.unlinks
      && one.unchanged == other.unchanged
  }

  /// Hashes the changes that the equality operator compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(inserts)
    hasher.combine(updates)
    hasher.combine(deletes)
    hasher.combine(links)
    hasher.combine(unlinks)
    hasher.combine(unchanged)
  }
}

extension SavePlan: CustomStringConvertible {
  /// A description with one line per row and link, followed by the number of
  /// unchanged rows:
  ///
  /// ```
  /// insert `Episode` 7: title "Basalt", podcast 3
  /// update `Episode` 8: title "Gneis" -> "Gneiss"
  /// delete `Episode` 9: title "Slate"
  /// link `Episode.tags`: `Episode` 7 -> `Tag` "rock"
  /// unchanged: 12 rows
  /// ```
  public var description: String {
    var lines = inserts.map { "insert \($0.row)\(list($0.values.map(\.description)))" }
    lines += updates.map { "update \($0.row)\(list($0.changes.map(\.description)))" }
    lines += deletes.map { "delete \($0.row)\(list($0.values.map(\.description)))" }
    lines += links.map { "link \($0)" }
    lines += unlinks.map { "unlink \($0)" }
    lines.append("unchanged: \(unchanged) \(unchanged == 1 ? "row" : "rows")")
    return lines.joined(separator: "\n")
  }

  private func list(_ parts: [String]) -> String {
    parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
  }
}

extension SavePlan.Row: CustomStringConvertible {
  /// The entity and the unique key.
  public var description: String {
    key == .null ? "`\(entity)`" : "`\(entity)` \(key)"
  }
}

extension SavePlan.Value: CustomStringConvertible {
  /// The key and the value.
  public var description: String { "\(key) \(content)" }
}

extension SavePlan.Change: CustomStringConvertible {
  /// The key, the old value and the new one.
  public var description: String { "\(key) \(old) -> \(new)" }
}

extension SavePlan.Link: CustomStringConvertible {
  /// The relationship and the rows at its ends.
  public var description: String {
    "`\(relationship)`: \(source) -> \(target)" + (position.map { " at \($0)" } ?? "")
  }
}

extension SavePlan {
  /// - Parameter current: The plan of the same models in the current state.
  /// - Throws: A ``StoreError`` with the code ``StoreError/Code/planOutdated`` if it makes
  ///   other changes.
  package func check(_ current: SavePlan) throws {
    guard current == self else {
      throw StoreError(
        .planOutdated, reason: "rows have changed since the plan was made",
        suggestion: "make another plan")
    }
  }
}
