/// How the lines of a terminal are shared out: first of all one goes to the
/// list, then come what is said, the help line and the header.
struct ScreenLayout {
  let hasHeader: Bool
  let hasHelp: Bool
  let listHeight: Int
  let statusHeight: Int

  /// - Parameter messageHeight: How many lines there are to say.
  init(height: Int, messageHeight: Int) {
    statusHeight = min(max(1, messageHeight), height / 2)
    let rest = height - statusHeight
    hasHelp = rest >= 3
    hasHeader = rest >= 4
    listHeight = max(0, rest - (hasHelp ? 1 : 0) - (hasHeader ? 1 : 0))
  }
}
