import MohoStore

/// What is to be done to a result because of a commit.
enum CommitPlan: Equatable, Sendable {
  /// Nothing of the result has changed.
  case nothing
  /// Rows hold something else, and all stay where they are.
  case keepPlaces
  /// These rows are looked at, and no others.
  case place(Set<Int64>)
  /// All identities are read anew.
  case rescan

  /// How many rows are always looked at one by one.
  private static let fewRows = 200
  /// Of how many rows of the result one may have changed before reading all
  /// identities anew costs less.
  private static let rowsPerPlace = 50

  /// Whether looking at so many rows costs more than reading all of them.
  static func isMany(_ placed: Int, of count: Int) -> Bool {
    placed > max(fewRows, count / rowsPerPlace)
  }

  /// - Parameters:
  ///   - touched: What the commit may have changed, or nil where that is not
  ///     known.
  ///   - count: How many rows the result has.
  init(_ touched: TouchedRows?, count: Int) {
    guard let touched else {
      self = .rescan
      return
    }
    let placed = touched.placed
    if touched.isEmpty {
      self = .nothing
    } else if !touched.arePlacesKnown || Self.isMany(placed.count, of: count) {
      self = .rescan
    } else {
      self = placed.isEmpty ? .keepPlaces : .place(placed)
    }
  }
}
