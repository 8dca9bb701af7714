import MohoChanges
import MohoMapping
import MohoRows

/// Follows the summaries of the sections of a result from state to state.
struct LiveSummaries {
  private let query: SummaryQuery
  /// The visible rows of the result, grouped by their section.
  private var rows: LiveRows
  private(set) var sections: SectionSummaries

  /// Reads the summaries of a list.
  init(_ query: SummaryQuery, of list: ResultsRows, _ reader: StoreReader) throws {
    self.query = query
    rows = LiveRows(query.computation)
    sections = SectionSummaries(names: query.names)
    try read(list, reader)
  }

  /// Reads the values of all rows again.
  ///
  /// - Complexity: O(*n*) for *n* rows.
  private mutating func read(_ list: ResultsRows, _ reader: StoreReader) throws {
    let visible = list.visible
    rows.removeAll(storingValues: true)
    do {
      if list.isComplete && visible.count == list.all.count {
        try query.forEachRow(reader) { set($0, $1, in: visible) }
      } else {
        try query.forEachRow(among: Set(visible.rowIDs), reader) { set($0, $1, in: visible) }
      }
    } catch is UnreadableValue {
      rows.removeAll(storingValues: false)
    }
    sections.set(rows.takeGroupChanges() ?? GroupChanges(), keyCount: query.computation.keyCount)
    setGroups(of: visible)
  }

  /// Follows a commit.
  ///
  /// - Parameters:
  ///   - touched: The rows and values that the commit may have changed, or nil if they are
  ///     not known.
  ///   - old: The rows before the commit.
  ///   - new: The rows after the commit.
  ///   - changes: The changes of the visible rows, or nil if they are not known.
  /// - Complexity: O(*k* log *n*) for *k* changed rows. O(*n*) if there are many, or if they
  ///   are not known.
  mutating func update(
    _ touched: TouchedRows?, from old: ResultsRows, to new: ResultsRows, _ changes: ChangeSet?,
    _ reader: StoreReader
  ) throws {
    let visible = new.visible
    guard rows.hasValues, let changes, let touched, touched.hasAllMoveCandidates,
      !RequiredUpdate.exceedsLookups(touched.moveCandidates.count, of: rows.count)
    else { return try read(new, reader) }
    if touched.moveCandidates.isEmpty && changes.isEmpty { return }
    var changed = touched.moveCandidates.filter { visible.position(of: $0) != nil }
    for change in changes.rows {
      if change.new == nil {
        rows.remove(change.rowID)
      } else if change.hasNewSection(from: old.visible, to: visible) {
        changed.insert(change.rowID)
      }
    }
    do {
      try query.forEachRow(among: changed, reader) { set($0, $1, in: visible) }
    } catch is UnreadableValue {
      return try read(new, reader)
    }
    guard let groups = rows.takeGroupChanges() else { return }
    sections.set(groups, keyCount: query.computation.keyCount)
    if changes.sections.isEmpty { return }
    do {
      try sections.updateGroups(changes.sections) { [rows] in
        rows.groupID(of: Self.groupKey(of: $0))
      }
    } catch is OrderedIndexError {
      setGroups(of: visible)
    }
  }

  private mutating func setGroups(of list: OrderedIndex) {
    let groups = list.sectionKeys.compactMap { rows.groupID(of: Self.groupKey(of: $0)) }
    sections.setGroups(rows.hasValues ? groups : [])
  }

  /// Stores the values of a row in the group of its section. Ignores rows that are not in
  /// the list.
  private mutating func set(_ row: Int64, _ values: [FieldContent], in list: OrderedIndex) {
    guard let path = list.path(of: row), let key = list.sectionKey(at: path.section) else { return }
    rows.set(row, Self.groupKey(of: key) + values)
  }

  /// The key of the group of a section. Equal sections have equal keys.
  private static func groupKey(of section: SectionKey) -> [FieldContent] {
    switch section {
    case .all: []
    case .null: [.null]
    case .integer(let value): [.int64(value)]
    case .real(let value): [Int64(exactly: value).map { .int64($0) } ?? .double(value)]
    case .text(let value): [.string(value)]
    }
  }
}

extension RowChange {
  /// Whether the row is in another section than before, or in the list for the first time.
  fileprivate func hasNewSection(from oldList: OrderedIndex, to newList: OrderedIndex) -> Bool {
    guard let old, let new else { return new != nil }
    return oldList.sectionKey(at: old.section) != newList.sectionKey(at: new.section)
  }
}

extension ResultsQuery {
  /// Reads the summaries of a list. Returns nil if the query has none.
  ///
  /// - Complexity: O(*n*) for *n* rows.
  func liveSummaries(of rows: ResultsRows, _ reader: StoreReader) throws -> LiveSummaries? {
    try summaries.map { try LiveSummaries($0, of: rows, reader) }
  }
}
