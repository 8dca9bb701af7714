public import MohoMapping

/// What saving models would write: a value that can be printed and compared,
/// and carried out if nothing has changed meanwhile.
///
/// ```swift
/// let plan = try store.plan(saving: episodes)
/// print(plan)
/// try store.apply(plan)
/// ```
///
/// Rows are named by their unique keys, and values are those that their columns
/// hold; links to one row are values too: the unique keys of the other rows.
///
/// Two plans are equal where they would write the same. A plan holds its models
/// and every row that would change, but none of the rows that are equal already.
public struct SavePlan: Sendable {
  /// A row that a plan is about.
  public struct Row: Sendable, Hashable {
    /// The name of its entity.
    public let entity: String
    /// The value of its unique key. Of an entity without one, the identity of
    /// the row in its table; null for a row that is new.
    public let key: FieldContent
  }

  /// A value of a row.
  public struct Value: Sendable, Hashable {
    /// The name of the key. Behind an ordered relation to many, where the way
    /// back is to one, the place among the others is a value too, as
    /// `podcast#place`.
    public let key: String
    /// What it holds.
    public let content: FieldContent
  }

  /// A value of a row that changes.
  public struct Change: Sendable, Hashable {
    /// The name of the key, as that of a ``Value``.
    public let key: String
    /// What it holds.
    public let old: FieldContent
    /// What it would hold.
    public let new: FieldContent
  }

  /// A new row.
  public struct Insert: Sendable, Hashable {
    /// The row.
    public let row: Row
    /// Its values that are not null, but for the unique key.
    public let values: [Value]
  }

  /// A row that changes.
  public struct Update: Sendable, Hashable {
    /// The row.
    public let row: Row
    /// The values that change, in declaration order.
    public let changes: [Change]
  }

  /// A row that goes, also along with another.
  public struct Delete: Sendable, Hashable {
    /// The row.
    public let row: Row
    /// Its values that are not null, but for the unique key.
    public let values: [Value]
  }

  /// A link between rows that no column of either holds.
  public struct Link: Sendable, Hashable {
    /// The relationship, such as `Episode.tags`.
    public let relationship: String
    /// The row that the relationship is one of.
    public let source: Row
    /// The row that it leads to.
    public let target: Row
    /// The place among the rows of the source, from 0, if they have an order.
    public let place: Int64?
  }

  /// The new rows, by entity and unique key.
  public let inserts: [Insert]
  /// The rows that change, by entity and unique key.
  public let updates: [Update]
  /// The rows that go, by entity and unique key.
  public let deletes: [Delete]
  /// The links that are made.
  public let links: [Link]
  /// The links that go. One whose place changes goes and is made again.
  public let unlinks: [Link]
  /// How many rows are equal already; see ``SaveReport/unchanged``.
  public let unchanged: Int

  /// Saves the models.
  let save: @Sendable (StoreWriter) throws -> SaveReport

  /// Whether nothing would be written.
  public var isEmpty: Bool {
    inserts.isEmpty && updates.isEmpty && deletes.isEmpty && links.isEmpty && unlinks.isEmpty
  }
}

extension SavePlan: Hashable {
  /// Whether two plans would write the same.
  public static func == (one: SavePlan, other: SavePlan) -> Bool {
    one.inserts == other.inserts && one.updates == other.updates && one.deletes == other.deletes
      && one.links == other.links && one.unlinks == other.unlinks
      && one.unchanged == other.unchanged
  }

  /// Hashes what equality compares.
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
  /// One line for each row and link, and the number of rows that stay:
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
  /// The key and what it holds.
  public var description: String { "\(key) \(content)" }
}

extension SavePlan.Change: CustomStringConvertible {
  /// The key, what it holds, and what it would.
  public var description: String { "\(key) \(old) -> \(new)" }
}

extension SavePlan.Link: CustomStringConvertible {
  /// The relationship and the rows at its ends.
  public var description: String {
    "`\(relationship)`: \(source) -> \(target)" + (place.map { " at \($0)" } ?? "")
  }
}
