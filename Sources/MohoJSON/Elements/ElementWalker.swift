import MohoMapping

/// Walks through a text from element to element: those of an array at a path, or
/// lines.
///
/// What follows an element may be missing, and what precedes it may be gone. The
/// walker accepts what parsing the whole text accepts, and nothing else.
// SAFETY: The walker stores no pointer to a window. The node of an element is
// valid until the next step.
final class ElementWalker {
  enum Step {
    /// An element, parsed.
    case element(JSONNode)
    /// An element that the scanner has passed.
    case scanned
    /// The end of the text.
    case end
  }

  /// Where the walk continues, in the window of the next call.
  var position = 0
  /// Where the current element begins, in its window.
  private(set) var elementStart = 0

  /// The path of the array; nil for lines.
  private let path: [FieldPath.Component]?
  private var levels: [Level] = []
  private var elementCount = 0
  private var phase = Phase.start
  private let tree = NodeTree()
  private let scanner: ObjectScanner?
  /// The position before the last step, and whether the walk returned to it.
  private var lastPosition = 0
  private var isBack = false

  private enum Phase {
    case start
    case beforeArray
    case inArray
    case afterArray
  }

  /// An object or array around the array.
  private struct Level {
    let isObject: Bool
    var count = 0
    /// Keys as bytes: different strings can be canonically equivalent.
    var keys: Set<[UInt8]> = []
  }

  /// - Parameter scanner: Passes elements that need not be parsed.
  init(_ layout: StreamLayout, scanner: ObjectScanner?) {
    path = layout.arrayPath?.components
    self.scanner = scanner
  }

  /// Walks to the next element, or to the end.
  ///
  /// - Parameters:
  ///   - window: The text, or a part of it that contains `position`.
  ///   - isLast: Whether the text ends where the window ends.
  /// - Throws: ``CursorStop``. If the window is incomplete, the walker stays at
  ///   its position.
  func next(in window: UnsafeRawBufferPointer, isLast: Bool) throws(CursorStop) -> Step {
    guard let path else { return try nextLine(in: window, isLast: isLast) }
    var cursor = JSONCursor(window, isComplete: isLast, position: position)
    while true {
      switch phase {
      case .start:
        try cursor.skipByteOrderMark()
        if isLast, !cursor.skipWhitespace() {
          throw .invalid(
            SyntaxFault(code: .emptyInput, offset: 0, message: "the input is empty"))
        }
        _ = try cursor.peek()
        try enter(path, &cursor)
      case .beforeArray, .afterArray:
        guard !levels.isEmpty else {
          try cursor.skipToEnd()
          position = cursor.position
          return .end
        }
        try passMember(path, &cursor)
      case .inArray:
        lastPosition = cursor.position
        if try cursor.skipSeparator(after: elementCount, isObject: false) {
          let step = try element(&cursor, depth: levels.count + 1)
          elementCount += 1
          position = cursor.position
          return step
        }
        phase = .afterArray
      }
      position = cursor.position
    }
  }

  /// Returns to the position before the last step, whose element the scanner had
  /// passed. The next step parses it.
  func goBack() {
    position = lastPosition
    elementCount -= 1
    isBack = true
  }

  private func element(_ cursor: inout JSONCursor, depth: Int) throws(CursorStop) -> Step {
    elementStart = cursor.position
    // The scanner's own levels, with these, are fewer than the cursor's limit.
    if let scanner, !isBack, depth <= 1024,
      let end = scanner.end(ofObjectAt: cursor.position, in: cursor.bytes)
    {
      cursor.position = end
      return .scanned
    }
    try tree.scanValue(&cursor, depth: depth)
    isBack = false
    scanner?.noteRefusal()
    return .element(JSONNode(tree, cursor.bytes))
  }

  private func nextLine(
    in window: UnsafeRawBufferPointer, isLast: Bool
  ) throws(CursorStop) -> Step {
    while true {
      let end = UnsafeRawBufferPointer(rebasing: window[position...])
        .firstOffset(of: UInt8(ascii: "\n")).map { position + $0 }
      guard end != nil || isLast else { throw .incomplete }
      let line = UnsafeRawBufferPointer(rebasing: window[..<(end ?? window.count)])
      var cursor = JSONCursor(line, position: position)
      if phase == .start { try cursor.skipByteOrderMark() }
      phase = .inArray
      lastPosition = cursor.position
      if cursor.skipWhitespace() {
        let step = try element(&cursor, depth: 0)
        try cursor.skipToEnd()
        position = min(line.count + 1, window.count)
        return step
      }
      guard end != nil else { return .end }
      position = line.count + 1
    }
  }

  /// Passes a member or element next to the path, or the end of its container.
  private func passMember(
    _ path: [FieldPath.Component], _ cursor: inout JSONCursor
  ) throws(CursorStop) {
    let last = levels.count - 1
    let level = levels[last]
    guard try cursor.skipSeparator(after: level.count, isObject: level.isObject) else {
      guard phase == .afterArray else { throw .missing }
      levels.removeLast()
      return
    }
    var isOnPath = path[last] == .index(level.count)
    var keys = level.keys
    if level.isObject {
      let token = try cursor.scanKey()
      let key = Array(cursor.bytes.string(token.content, hasEscapes: token.hasEscapes).utf8)
      guard keys.insert(key).inserted else {
        throw .invalid(cursor.duplicateKey(token.start..<token.end))
      }
      try cursor.skipColon()
      if case .key(let step) = path[last] { isOnPath = step.utf8.elementsEqual(key) }
    }
    if phase == .beforeArray, isOnPath {
      _ = try cursor.peek()
      try enter(path, &cursor)
    } else {
      try tree.scanValue(&cursor, depth: levels.count)
    }
    levels[last].keys = keys
    levels[last].count += 1
  }

  /// Enters the array, or a container around it.
  private func enter(
    _ path: [FieldPath.Component], _ cursor: inout JSONCursor
  ) throws(CursorStop) {
    let depth = levels.count
    var isObject = false
    if depth < path.count, case .key = path[depth] { isObject = true }
    let offset = cursor.position
    guard cursor.bytes[offset] == (isObject ? UInt8(ascii: "{") : UInt8(ascii: "[")) else {
      throw .mismatch(
        found: try summary(&cursor, depth: depth), offset: offset, steps: depth,
        expected: isObject ? .object : .array)
    }
    cursor.position += 1
    if depth == path.count {
      phase = .inArray
    } else {
      phase = .beforeArray
      levels.append(Level(isObject: isObject))
    }
  }

  /// A message's words for the value at a cursor. Of an object or array, only the
  /// beginning may be present.
  private func summary(_ cursor: inout JSONCursor, depth: Int) throws(CursorStop) -> String {
    switch cursor.bytes[cursor.position] {
    case UInt8(ascii: "{"): return JSONValue.Kind.object.description
    case UInt8(ascii: "["): return JSONValue.Kind.array.description
    default:
      try tree.scanValue(&cursor, depth: depth)
      return JSONNode(tree, cursor.bytes).summary
    }
  }
}
