import MohoRows

/// The step from one state of a result to the next, because of a commit.
struct ResultsTransition: Sendable {
  /// The way in which a transition was computed.
  enum Strategy: Sendable {
    case contentOnly, repositioned, rescanned
  }

  let rows: ResultsRows
  /// The changes of the visible rows, or `nil` if no row has changed.
  let changes: LazyChangeSet?
  /// What the commit changed, or `nil` if that is unknown.
  let touched: TouchedRows?
  let strategy: Strategy
}

/// The work that a commit requires to update a result.
enum RequiredUpdate: Equatable, Sendable {
  /// The commit does not affect the result.
  case nothing
  /// The content of rows may have changed. No row has moved.
  case contentOnly
  /// These rows may have been inserted, deleted or moved, and no others.
  case reposition(Set<Int64>)
  /// The IDs of all rows must be read again.
  case rescan

  /// The number of rows that are always looked up individually.
  private static let smallCount = 200
  /// If more than one row in this many may have moved, reading all IDs costs
  /// less than individual lookups.
  private static let rowsPerLookup = 50

  /// Whether individual lookups of so many rows cost more than reading all IDs.
  static func exceedsLookups(_ rowCount: Int, of totalCount: Int) -> Bool {
    rowCount > max(smallCount, totalCount / rowsPerLookup)
  }

  /// - Parameters:
  ///   - touched: What the commit may have changed, or `nil` if that is unknown.
  ///   - count: The number of rows of the result.
  init(_ touched: TouchedRows?, count: Int) {
    guard let touched else {
      self = .rescan
      return
    }
    let candidates = touched.moveCandidates
    if touched.isEmpty {
      self = .nothing
    } else if !touched.hasAllMoveCandidates || Self.exceedsLookups(candidates.count, of: count) {
      self = .rescan
    } else {
      self = candidates.isEmpty ? .contentOnly : .reposition(candidates)
    }
  }
}
