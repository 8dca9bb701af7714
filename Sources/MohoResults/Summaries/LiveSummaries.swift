import MohoChanges
import MohoMapping
import MohoRows

/// Follows the summaries of the sections of a result from state to state.
struct LiveSummaries {
  private let computation: LiveRows.Computation
  /// The visible rows of the result, grouped by their section.
  private var rows: LiveRows
  private(set) var sections: SectionSummaries

  /// Reads the summaries of a list.
  init(_ query: SummaryQuery, of list: ResultsRows, _ values: some SummaryValues) throws {
    computation = query.computation
    rows = LiveRows(computation)
    sections = SectionSummaries(names: query.names)
    try read(list, values)
  }

  /// Reads the values of all rows again.
  ///
  /// - Complexity: O(*n*) for *n* rows.
  private mutating func read(_ list: ResultsRows, _ values: some SummaryValues) throws {
    let visible = list.visible
    rows.removeAll(storingValues: true)
    do {
      if list.isComplete && visible.count == list.all.count {
        try values.forEachRow { set($0, $1, in: visible) }
      } else {
        try values.forEachRow(among: Set(visible.rowIDs)) { set($0, $1, in: visible) }
      }
    } catch is UnreadableValue {
      rows.removeAll(storingValues: false)
    }
    sections.set(rows.takeGroupChanges() ?? GroupChanges(), keyCount: computation.keyCount)
    setGroups(of: visible)
  }

  /// Updates the summaries after a change of the list.
  ///
  /// - Parameters:
  ///   - touched: The rows whose values may have changed, or nil if they are not known.
  ///   - old: The rows before the change.
  ///   - new: The rows after the change.
  ///   - changes: The changes of the visible rows, or nil if they are not known.
  ///   - values: The values after the change.
  /// - Complexity: O(*k* log *n*) for *k* changed rows. O(*n*) if there are many, or if they
  ///   are not known.
  mutating func update(
    _ touched: Set<Int64>?, from old: ResultsRows, to new: ResultsRows, _ changes: ChangeSet?,
    _ values: some SummaryValues
  ) throws {
    let visible = new.visible
    guard rows.hasValues, let changes, let touched,
      !RequiredUpdate.exceedsLookups(touched.count, of: rows.count)
    else { return try read(new, values) }
    if touched.isEmpty && changes.isEmpty { return }
    var changed = touched.filter { visible.position(of: $0) != nil }
    for change in changes.rows {
      if change.new == nil {
        rows.remove(change.rowID)
      } else if change.hasNewSection(from: old.visible, to: visible) {
        changed.insert(change.rowID)
      }
    }
    do {
      try values.forEachRow(among: changed) { set($0, $1, in: visible) }
    } catch is UnreadableValue {
      return try read(new, values)
    }
    guard let groups = rows.takeGroupChanges() else { return }
    sections.set(groups, keyCount: computation.keyCount)
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
    try summaries.map { try LiveSummaries($0, of: rows, $0.storedValues(reader)) }
  }
}
