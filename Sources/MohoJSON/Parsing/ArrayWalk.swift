import CJansson
import MohoMapping

/// Walks through a text to an array, through its elements, and to the end of
/// the text, one value at a time: what is behind an element need not be there
/// yet, and what is before it no longer.
///
/// The walk accepts what parsing the whole text accepts, and nothing else, as
/// long as it is not stopped by an element that a limit of the parser might
/// refuse inside a document.
// SAFETY: The walk owns the tree of the element it stands on, whose node it
// lends until it goes on. It reads no byte outside the window, which it keeps
// no pointer to.
final class ArrayWalk: ElementWalk {
  var position = 0
  private(set) var elementStart = 0

  private let path: [FieldPath.Component]
  private var levels: [Level] = []
  private var elementCount = 0
  private var phase = Phase.start
  private var element: UnsafeMutablePointer<json_t>?
  /// Passes elements that need not be parsed.
  private let scanner: ElementScanner?
  /// Where the walk was before its last step, and whether it went back there.
  private var lastPosition = 0
  private var isBack = false

  private enum Phase {
    case start
    /// On the way to the array.
    case before
    case inside
    /// Behind the array, but in what holds it.
    case after
  }

  /// An object or array that holds the array.
  private struct Level {
    let isObject: Bool
    var count = 0
    /// The keys as bytes: strings that differ in their bytes may be equal.
    var keys: Set<[UInt8]> = []
  }

  /// - Parameters:
  ///   - path: The way to the array.
  ///   - scanner: Passes elements that need not be parsed.
  init(path: FieldPath, scanner: ElementScanner? = nil) {
    self.path = path.components
    self.scanner = scanner
  }

  deinit { json_decref(element) }

  func next(in window: UnsafeRawBufferPointer, isLast: Bool) throws(WalkStop) -> WalkStep {
    json_decref(element)
    element = nil
    var cursor = TextCursor(bytes: window, isLast: isLast, position: position)
    while true {
      switch phase {
      case .start:
        try cursor.skipByteOrderMark()
        if isLast, cursor.skipBlank() { throw .fault(.emptyInput, offset: 0) }
        try cursor.skipSpace()
        try enter(with: &cursor)
      case .before, .after:
        guard !levels.isEmpty else {
          try cursor.finish()
          position = cursor.position
          return .end
        }
        try passMember(&cursor)
      case .inside:
        lastPosition = cursor.position
        if let element = try nextElement(&cursor) { return element }
      }
      position = cursor.position
    }
  }

  func goBack() {
    position = lastPosition
    elementCount -= 1
    isBack = true
  }

  private func nextElement(_ cursor: inout TextCursor) throws(WalkStop) -> WalkStep? {
    if try cursor.isSeparated(from: elementCount, closing: "]") {
      phase = .after
      return nil
    }
    elementStart = cursor.position
    if let end = scannedEnd(cursor) {
      position = end
      elementCount += 1
      return .scanned
    }
    let value = try cursor.value(depth: levels.count + 1)
    element = value
    position = cursor.position
    elementCount += 1
    isBack = false
    scanner?.refuse()
    return .element(JSONNode(value))
  }

  /// Where the element at a cursor ends, if the scanner can pass it. As few
  /// levels as a scanner knows are never too many.
  private func scannedEnd(_ cursor: TextCursor) -> Int? {
    guard let scanner, !isBack, levels.count < 1024 else { return nil }
    return scanner.end(ofObjectAt: cursor.position, in: cursor.bytes)
  }

  /// Passes a member or element of what holds the array, or its end.
  private func passMember(_ cursor: inout TextCursor) throws(WalkStop) {
    let last = levels.count - 1
    let level = levels[last]
    if try cursor.isSeparated(from: level.count, closing: level.isObject ? "}" : "]") {
      guard phase == .after else { throw .missing }
      levels.removeLast()
      return
    }
    var isOnTheWay = path[last] == .index(level.count)
    if level.isObject {
      let start = cursor.position
      let key = try cursor.key()
      let bytes = Array(key.utf8)
      guard !level.keys.contains(bytes) else { throw .fault(.duplicateKey, offset: start) }
      if case .key(let step) = path[last] { isOnTheWay = step.utf8.elementsEqual(bytes) }
      if phase == .before, isOnTheWay {
        try enter(with: &cursor)
      } else {
        try cursor.pass(depth: levels.count)
      }
      levels[last].keys.insert(bytes)
    } else if phase == .before, isOnTheWay {
      try enter(with: &cursor)
    } else {
      try cursor.pass(depth: levels.count)
    }
    levels[last].count += 1
  }

  /// Enters the array, or what holds it.
  private func enter(with cursor: inout TextCursor) throws(WalkStop) {
    let isArray = levels.count == path.count
    var isObject = false
    if !isArray, case .key = path[levels.count] { isObject = true }
    guard try cursor.skip(isObject ? "{" : "[") else {
      let start = cursor.position
      throw .mismatch(
        try cursor.summary(depth: levels.count), offset: start, steps: levels.count,
        expected: isObject ? .object : .array)
    }
    if isArray {
      phase = .inside
    } else {
      phase = .before
      levels.append(Level(isObject: isObject))
    }
  }
}
