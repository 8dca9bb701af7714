/// The order of a list: row identities, in sections.
///
/// An index knows which row stands where and nothing about its content. A
/// sectioned index has a section exactly where it has at least one row; an
/// unsectioned index always has one section, with the key ``SectionKey/all``,
/// even when it is empty. A row occurs once.
///
/// ```swift
/// var builder = OrderedIndex.Builder(sectioned: true)
/// try builder.append(17, section: .integer(2011))
/// try builder.append(4, section: .integer(2011))
/// try builder.append(9, section: .integer(2012))
/// let index = builder.finish()
/// index[RowPath(section: 0, row: 1)]  // 4
/// ```
///
/// Look-ups answer `nil`, zero or nothing for places outside the list; they
/// never trap.
///
/// The type is a value. Copies share their storage until one is replaced.
public struct OrderedIndex: Equatable, Sendable {
  // All rows in order. Sections are ranges of it: section `s` covers
  // `offsets[s]..<offsets[s + 1]`, so there is one offset more than sections.
  let identities: [Int64]
  let offsets: [Int]

  /// The keys of the sections, in order.
  public let sectionKeys: [SectionKey]

  /// Whether the list is divided by a section key.
  public let isSectioned: Bool

  init(identities: [Int64], offsets: [Int], sectionKeys: [SectionKey], isSectioned: Bool) {
    self.identities = identities
    self.offsets = offsets
    self.sectionKeys = sectionKeys
    self.isSectioned = isSectioned
  }

  /// Makes an index without rows: with one section if it is unsectioned, with
  /// none if it is sectioned.
  public init(sectioned: Bool = false) {
    self = Builder(sectioned: sectioned).finish()
  }

  /// Makes an unsectioned index of rows in the given order.
  ///
  /// A row must not occur twice; this is not checked.
  ///
  /// - Complexity: O(*n*), O(1) for an array.
  public init(rowIDs: some Sequence<Int64>) {
    let identities = Array(rowIDs)
    self.init(
      identities: identities,
      offsets: [0, identities.count],
      sectionKeys: [.all],
      isSectioned: false)
  }
}
