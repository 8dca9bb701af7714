/// The new position of a touched row: the row before it and its section.
///
/// ```swift
/// // Episode 17 directly follows episode 4 in the season of 2011.
/// RowPlacement(17, after: 4, section: .integer(2011), changedKeys: ["publishedAt"])
/// ```
public struct RowPlacement: Hashable, Sendable {
  /// The ID of the row.
  public let rowID: Int64

  /// The ID of the row directly before it in the whole list, even if that row
  /// is in another section. `nil` if the row is the first row of the list.
  ///
  /// For consecutive touched rows there are two valid forms: each row names the
  /// row directly before it, or all of them name the last untouched row before
  /// them.
  public let predecessor: Int64?

  /// The key of the row's section. Ignored in an unsectioned list.
  public let section: SectionKey

  /// The names of the keys whose values changed, in declaration order. Ignored
  /// for a row that was not in the list.
  public let changedKeys: [String]

  /// Creates the placement of a row that directly follows the row with the ID
  /// `predecessor`.
  public init(
    _ rowID: Int64, after predecessor: Int64?, section: SectionKey = .all,
    changedKeys: [String] = []
  ) {
    self.rowID = rowID
    self.predecessor = predecessor
    self.section = section
    self.changedKeys = changedKeys
  }
}
