import Moho

/// The marks of rows that an update touched.
public enum ChangeMark {
  /// What the marks stand for.
  public static let legend = "+ new   ~ changed   > moved   >~ moved and changed"

  /// The marks of an update's rows, by their identities in its new state.
  public static func marks(of changes: ChangeSet) -> [Int64: String] {
    var marks: [Int64: String] = [:]
    for change in changes.rows {
      switch change.kind {
      case .insert: marks[change.rowID] = "+"
      case .update: marks[change.rowID] = "~"
      case .move: marks[change.rowID] = change.isRedated ? ">" : ">~"
      case .delete: break
      }
    }
    return marks
  }
}
