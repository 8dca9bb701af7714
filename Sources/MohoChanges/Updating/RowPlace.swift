/// Where a touched row comes to stand.
///
/// ```swift
/// // Episode 17 comes directly behind episode 4, in the same season.
/// RowPlace(17, behind: 4, section: .integer(2011), changedKeys: ["publishedAt"])
/// ```
public struct RowPlace: Hashable, Sendable {
  /// The identity of the row.
  public let rowID: Int64

  /// The row directly before it in the whole list, whatever its section; `nil`
  /// if the row is the first of all.
  ///
  /// Where touched rows come to stand together, each may name the row before
  /// it, or all of them may name the last untouched row before them.
  public let predecessor: Int64?

  /// The key of the row's section; of no account in an unsectioned list.
  public let section: SectionKey

  /// The names of the keys whose values changed, in declaration order; of no
  /// account for a row that was not in the list.
  public let changedKeys: [String]

  /// Makes the place of a row.
  public init(
    _ rowID: Int64, behind predecessor: Int64?, section: SectionKey = .all,
    changedKeys: [String] = []
  ) {
    self.rowID = rowID
    self.predecessor = predecessor
    self.section = section
    self.changedKeys = changedKeys
  }
}
