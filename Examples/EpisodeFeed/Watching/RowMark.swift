import Moho
import TerminalScreen

/// What happened to a row a moment ago, as a list shows it beside the row.
public struct RowMark: Hashable, Sendable {
  /// What happened to a row's place.
  public enum Place: Hashable, Sendable {
    /// The row is new.
    case new
    /// The row stands nearer to the top.
    case up
    /// The row stands farther from the top.
    case down
    /// The row is gone.
    case deleted
  }

  /// What happened to the row's place; nil where it has kept it.
  public var place: Place?
  /// Whether more has changed than what gives the row its place.
  public var isChanged = false

  /// Makes a mark.
  public init(place: Place? = nil, isChanged: Bool = false) {
    self.place = place
    self.isChanged = isChanged
  }

  /// The mark of a record.
  ///
  /// - Parameter isUp: Whether a row that has moved stands nearer to the top.
  init(_ change: RowChange, isUp: Bool) {
    switch change.kind {
    case .insert: place = .new
    case .delete: place = .deleted
    case .move: place = isUp ? .up : .down
    case .update: place = nil
    }
    isChanged = change.kind == .update || change.kind == .move && !change.isRedated
  }

  /// The mark with what happened later.
  func following(_ later: RowMark) -> RowMark {
    // A row that is new is that for as long as it is marked.
    if place == .new { return self }
    var mark = later
    mark.place = later.place ?? place
    mark.isChanged = (isChanged || later.isChanged) && mark.place != .new
    return mark
  }

  /// The signs, two columns wide.
  public var text: String {
    let sign =
      switch place {
      case .new: "+"
      case .up: "↑"
      case .down: "↓"
      case .deleted: "−"
      case nil: isChanged ? "~" : " "
      }
    return sign + (place != nil && isChanged ? "~" : " ")
  }

  /// How the signs look.
  var style: Style {
    switch place {
    case .new: Style(.green, isBold: true)
    case .up, .down: Style(isChanged ? .magenta : .cyan, isBold: true)
    case .deleted: Style(.red, isBold: true)
    case nil: Style(.yellow, isBold: true)
    }
  }
}

extension RowChange {
  /// Whether nothing changed but what gives the row its place.
  var isRedated: Bool { changedKeys.allSatisfy { ["publishedAt", "season"].contains($0) } }
}
