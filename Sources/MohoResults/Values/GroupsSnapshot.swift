public import MohoChanges
import MohoMapping
public import MohoRows

/// The groups of a request in one state, in order, with their values.
///
/// ```swift
/// var list = GroupsSnapshot()
/// for try await groups in store.observe(.groups(request)) {
///   print(try groups.changes(since: list))
///   list = groups
/// }
/// ```
///
/// A snapshot never changes. It contains the values of all groups, and reads nothing from
/// the store. A group has the same ``Group/id`` in all snapshots of an iteration, from its
/// first row to its last one. If the group has rows again later, it has a new ID.
///
/// - Complexity: Copies share their storage. After a small change, the old and the new
///   snapshot share all but some kilobytes.
public struct GroupsSnapshot: Sendable {
  /// A group of rows.
  public struct Group: Identifiable, Hashable, Sendable {
    /// The number of the group in ``GroupsSnapshot/index``.
    public let id: Int64
    /// The values of the keys, followed by those of the aggregates.
    public let values: ValueRow
  }

  /// The IDs of the groups, in order. They have a single section.
  public internal(set) var index = OrderedIndex()

  /// The IDs of all groups that meet the conditions, regardless of the limit.
  var all = OrderedIndex()
  var window = RowWindow(offset: 0, limit: nil)
  /// The values of the groups in ``all``.
  var values = GroupValues()
  /// The names of the values.
  var names: [String] = []
  /// The indexes of the aggregates that order the groups.
  var orderingColumns: [Int] = []
  var log = GroupLog()
  /// Identifies the groups that have IDs in common. Nil before any group was read.
  var source: GroupSource?

  /// Creates a snapshot without groups.
  ///
  /// The changes since this snapshot are insertions of all groups.
  public init() {}

  /// The group at a path, or nil if there is no group at the path.
  public subscript(path: RowPath) -> Group? { index[path].map(group) }

  private func group(_ id: Int64) -> Group {
    Group(id: id, values: ValueRow(names: names, values: values[id]))
  }

  /// The values of all groups, in order.
  var rows: [ValueRow] { index.rowIDs.map { ValueRow(names: names, values: values[$0]) } }
}

extension GroupsSnapshot: RandomAccessCollection {
  /// The index of the first group.
  public var startIndex: Int { 0 }

  /// The number of groups.
  public var endIndex: Int { index.count }

  /// The group at a position, which must exist.
  ///
  /// - Complexity: O(log *g*) for *g* groups.
  public subscript(position: Int) -> Group { group(index.rowIDs[position]) }
}

/// Identifies the groups of one follower.
final class GroupSource: Sendable {}

/// The values of groups. Copies with one changed group share most of their storage.
///
/// - Complexity: Changing the values of a group is O(*g* / 256) for *g* groups.
struct GroupValues: Sendable {
  private struct Entry: Sendable {
    var id: Int64 = -1
    var values: [FieldContent] = []
  }

  private static let chunkSize = 256

  private var chunks: [[Entry]] = []

  /// The values of a group. Empty if the group is absent.
  subscript(id: Int64) -> [FieldContent] {
    get {
      let (chunk, offset) = Self.location(of: id)
      guard chunk < chunks.count, chunks[chunk][offset].id == id else { return [] }
      return chunks[chunk][offset].values
    }
    set {
      let (chunk, offset) = Self.location(of: id)
      while chunk >= chunks.count {
        chunks.append(Array(repeating: Entry(), count: Self.chunkSize))
      }
      chunks[chunk][offset] = newValue.isEmpty ? Entry() : Entry(id: id, values: newValue)
    }
  }

  private static func location(of id: Int64) -> (chunk: Int, offset: Int) {
    let slot = GroupID.slot(of: id)
    return (slot / chunkSize, slot % chunkSize)
  }
}

/// The ID of a group: the index where its values are stored, and the number of groups that
/// were stored there before.
enum GroupID {
  /// Returns the ID of the first group that is stored at an index.
  static func first(slot: Int) -> Int64 { Int64(slot) }

  /// Returns the ID of the next group that is stored at the same index.
  static func next(after id: Int64) -> Int64 { id &+ (1 << 32) }

  static func slot(of id: Int64) -> Int { Int(id & 0xFFFF_FFFF) }
}

/// The groups that recent commits have changed.
struct GroupLog: Sendable {
  /// The number of changed groups after which the oldest ones are forgotten.
  private static let limit = 256

  /// The number of earlier states.
  private(set) var generation = 0
  /// The oldest state since which all changes are known.
  private var start = 0
  private var changes: [(generation: Int, group: Int64)] = []

  /// Records the groups that a commit has changed.
  mutating func record(_ groups: some Collection<Int64>) {
    generation += 1
    if groups.count > Self.limit { return forget() }
    for group in groups { changes.append((generation, group)) }
    guard changes.count > Self.limit else { return }
    start = changes[changes.count / 2].generation
    changes.removeAll { $0.generation <= start }
  }

  /// Forgets the changes of all earlier states.
  mutating func forget() {
    generation += 1
    start = generation
    changes = []
  }

  /// Returns the groups that were changed since an earlier state, or nil if they are not
  /// known.
  func groups(since generation: Int) -> Set<Int64>? {
    guard generation >= start, generation <= self.generation else { return nil }
    let first = changes.partitioningIndex { $0.generation > generation }
    return Set(changes[first...].map(\.group))
  }
}
