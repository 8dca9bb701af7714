import Moho

/// The last versions of a list, from which a client can continue.
///
/// The versions share the storage of their indexes.
public struct ListHistory: Sendable {
  private struct Version {
    let name: String
    let index: OrderedIndex
    /// The change from the previous version.
    let changes: ChangeSet
  }

  /// The number of retained versions.
  public static let limit = 32
  /// The maximum number of records in a change. A larger change is a new list.
  public static let recordLimit = 2_000

  private static let keys = Episode.mapping.keys.map(\.name)

  private let token: String
  private var versions: [Version]
  /// The names of the values of the sections' summaries.
  private var summaryKeys: [String] = []

  /// Creates a history with one version.
  ///
  /// - Parameter token: The first part of all names of versions. It differs
  ///   between histories.
  public init(token: String, generation: Int, _ index: OrderedIndex) {
    self.token = token
    let name = "\(token)-\(generation)"
    versions = [Version(name: name, index: index, changes: .empty)]
  }

  /// The name of the newest version.
  public var version: String { versions.last?.name ?? "" }

  /// The newest version.
  public var index: OrderedIndex { versions.last?.index ?? OrderedIndex() }

  /// Appends a version.
  ///
  /// - Parameter summaryKeys: The names of the values of the sections' summaries; empty if
  ///   they are not known.
  public mutating func append(
    generation: Int, _ index: OrderedIndex, _ changes: ChangeSet, summaryKeys: [String] = []
  ) {
    if !summaryKeys.isEmpty { self.summaryKeys = summaryKeys }
    versions.append(Version(name: "\(token)-\(generation)", index: index, changes: changes))
    if versions.count > Self.limit { versions.removeFirst(versions.count - Self.limit) }
  }

  /// A retained version of the list.
  public func index(of version: String) -> OrderedIndex? {
    versions.last { $0.name == version }?.index
  }

  /// The change from a version to the newest one; nil if the version is not
  /// retained or the change is too large.
  public func changes(since version: String) -> ChangeSet? {
    guard let start = versions.lastIndex(where: { $0.name == version }) else { return nil }
    let steps = versions[(start + 1)...]
    var result = steps.first?.changes ?? .empty
    for step in steps.dropFirst() where result.rows.count <= Self.recordLimit {
      result = result.followed(
        by: step.changes, from: versions[start].index, to: step.index, keys: Self.keys,
        summaryKeys: summaryKeys)
    }
    return result.rows.count <= Self.recordLimit ? result : nil
  }
}

extension ChangeSet {
  /// A change set without records.
  fileprivate static let empty = ChangeSet(
    from: OrderedIndex(), to: OrderedIndex(), changedKeys: [:])
}
