import Moho
import TerminalScreen

/// The mark of a row that has changed recently.
public struct RowMark: Hashable, Sendable {
  /// How the position of a row has changed.
  public enum Movement: Hashable, Sendable {
    /// The row is new.
    case inserted
    /// The row is closer to the top.
    case up
    /// The row is farther from the top.
    case down
    /// The row was deleted.
    case deleted
  }

  /// How the position has changed; nil if the row has not moved.
  public var movement: Movement?
  /// Whether keys have changed that do not determine the position.
  public var isChanged = false

  /// Creates a mark.
  public init(movement: Movement? = nil, isChanged: Bool = false) {
    self.movement = movement
    self.isChanged = isChanged
  }

  /// The mark of a change record.
  ///
  /// - Parameter isUp: Whether a moved row is closer to the top.
  init(_ change: RowChange, isUp: Bool) {
    switch change.kind {
    case .insert: movement = .inserted
    case .delete: movement = .deleted
    case .move: movement = isUp ? .up : .down
    case .update: movement = nil
    }
    isChanged = change.kind == .update || change.kind == .move && change.hasChangedContent
  }

  /// The mark combined with that of a later change.
  func following(_ later: RowMark) -> RowMark {
    // A new row stays marked as new.
    if movement == .inserted { return self }
    var mark = later
    mark.movement = later.movement ?? movement
    mark.isChanged = (isChanged || later.isChanged) && mark.movement != .inserted
    return mark
  }

  /// The signs, two columns wide.
  public var text: String {
    let sign =
      switch movement {
      case .inserted: "+"
      case .up: "↑"
      case .down: "↓"
      case .deleted: "−"
      case nil: isChanged ? "~" : " "
      }
    return sign + (movement != nil && isChanged ? "~" : " ")
  }

  /// The style of the signs.
  var style: Style {
    switch movement {
    case .inserted: Style(.green, isBold: true)
    case .up, .down: Style(isChanged ? .magenta : .cyan, isBold: true)
    case .deleted: Style(.red, isBold: true)
    case nil: Style(.yellow, isBold: true)
    }
  }
}

extension RowChange {
  /// Whether keys have changed that do not determine the position of the row.
  var hasChangedContent: Bool {
    changedKeys.contains { !["publishedAt", "season"].contains($0) }
  }
}
