import MohoChanges

/// The list that SQL reads after a commit: the IDs in order, the sections, and the
/// ordering values.
final class ListState {
  let rowIDs: [Int64]
  let sections: [(key: SectionKey, count: Int)]
  /// The ordering values of each row as text, in the order of the rows.
  let orders: [String]
  /// The values that the request reads from related rows as text, in the order of the
  /// rows.
  let witnesses: [String]
  private(set) lazy var paths = makePaths()
  private lazy var positionValues = Dictionary(
    rowIDs.indices.map { index in
      (rowIDs[index], orders[index] + "/" + (witnesses.isEmpty ? "" : witnesses[index]))
    }, uniquingKeysWith: { first, _ in first })
  private(set) lazy var orderOfRow = Dictionary(
    zip(rowIDs, orders), uniquingKeysWith: { first, _ in first })

  init(
    rowIDs: [Int64], keys: [SectionKey], orders: [String], witnesses: [String], isSectioned: Bool
  ) {
    (self.rowIDs, self.orders, self.witnesses) = (rowIDs, orders, witnesses)
    var sections: [(key: SectionKey, count: Int)] = isSectioned ? [] : [(.all, rowIDs.count)]
    if isSectioned {
      for key in keys {
        if sections.last?.key == key {
          sections[sections.count - 1].count += 1
        } else {
          sections.append((key, 1))
        }
      }
    }
    self.sections = sections
  }

  func path(of rowID: Int64) -> RowPath? { paths[rowID] }

  func contains(_ rowID: Int64) -> Bool { paths[rowID] != nil }

  /// The IDs of the rows of each section.
  var rowsOfSections: [[Int64]] {
    var start = 0
    return sections.map { section in
      defer { start += section.count }
      return Array(rowIDs[start..<start + section.count])
    }
  }

  private func makePaths() -> [Int64: RowPath] {
    var paths: [Int64: RowPath] = [:]
    for (section, rows) in rowsOfSections.enumerated() {
      for (row, rowID) in rows.enumerated() {
        paths[rowID] = RowPath(section: section, row: row)
      }
    }
    return paths
  }

  /// Whether both lists look the same in a view.
  func looksLike(_ other: ListState) -> Bool {
    self === other
      || rowIDs == other.rowIDs && sections.map(\.count) == other.sections.map(\.count)
        && sections.map(\.key) == other.sections.map(\.key)
  }

  func equals(_ other: ListState) -> Bool {
    looksLike(other) && orders == other.orders && witnesses == other.witnesses
  }

  /// All values that determine the position of a row. `nil` if the list does not have
  /// the row.
  func positionValues(of rowID: Int64) -> String? { positionValues[rowID] }

  /// The first difference between an index and this list, or `nil`.
  func difference(from index: OrderedIndex) -> String? {
    if !rowIDs.elementsEqual(index.rowIDs) {
      return "rows \(Array(index.rowIDs)), SQL has \(rowIDs)"
    }
    let keys = index.sectionKeys
    let counts = keys.indices.map { index.rowCount(inSection: $0) }
    if keys != sections.map(\.key) || counts != sections.map(\.count) {
      return "sections \(keys) of \(counts) rows, SQL has \(sections)"
    }
    return nil
  }
}
