import TerminalScreen

/// How many lines and columns the parts of the screen have.
///
/// In a small terminal, the list takes precedence, then messages, the help line
/// and the header. The show notes are beside the list in a wide terminal, and
/// below it in others.
struct ScreenLayout: Hashable {
  /// The position of the show notes.
  enum Notes: Hashable {
    /// To the right of the list, after a vertical line.
    case beside(width: Int)
    /// Below the list, after a horizontal line.
    case below(height: Int)
  }

  /// What is at a position of the screen.
  enum Area: Hashable {
    /// A line of the list, from 0.
    case list(line: Int)
    case notes
    case other
  }

  let size: TerminalSize
  let hasHeader: Bool
  let hasHelp: Bool
  let statusHeight: Int
  let notes: Notes?
  let listHeight: Int
  let listWidth: Int

  /// - Parameters:
  ///   - messageHeight: The number of lines of the message.
  ///   - hasNotes: Whether to show the notes if there is room; nil to show them
  ///     if there is plenty of room.
  init(_ size: TerminalSize, messageHeight: Int, hasNotes: Bool? = nil) {
    self.size = size
    statusHeight = min(max(1, messageHeight), size.height / 2)
    let rest = size.height - statusHeight
    hasHelp = rest >= 3
    hasHeader = rest >= 4
    let body = max(0, rest - (hasHelp ? 1 : 0) - (hasHeader ? 1 : 0))
    notes = hasNotes == false ? nil : Self.notes(size, body, isRequested: hasNotes == true)
    (listWidth, listHeight) =
      switch notes {
      case .beside(let width): (size.width - width - 1, body)
      case .below(let height): (size.width, body - height - 1)
      case nil: (size.width, body)
      }
  }

  private static func notes(_ size: TerminalSize, _ body: Int, isRequested: Bool) -> Notes? {
    if size.width >= 100, body >= 3 { return .beside(width: min(90, size.width * 2 / 5)) }
    guard isRequested ? body >= 5 && size.width >= 16 : size.height >= 30 && size.width >= 40
    else { return nil }
    return .below(height: body * 2 / 5)
  }

  /// The number of lines above the list.
  var headerHeight: Int { hasHeader ? 1 : 0 }

  /// The number of lines of the list and of the notes below it.
  var bodyHeight: Int {
    if case .below(let height) = notes { return listHeight + 1 + height }
    return listHeight
  }

  /// The size of the text of the notes, if they are shown.
  var notesSize: TerminalSize? {
    switch notes {
    // One column separates the text from the line.
    case .beside(let width): TerminalSize(width: width - 1, height: listHeight)
    case .below(let height): TerminalSize(width: size.width - 1, height: height)
    case nil: nil
    }
  }

  /// What is at a position.
  func area(at position: Frame.Position) -> Area {
    let line = position.line - headerHeight
    guard (0..<bodyHeight).contains(line), (0..<size.width).contains(position.column) else {
      return .other
    }
    if position.column < listWidth, line < listHeight { return .list(line: line) }
    return position.column > listWidth || line > listHeight ? .notes : .other
  }
}
