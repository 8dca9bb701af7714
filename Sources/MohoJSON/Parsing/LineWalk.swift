import CJansson

/// Goes through a text of which each line is a document, and lines of nothing
/// but white space are none.
// SAFETY: As for ``ArrayWalk``.
final class LineWalk: ElementWalk {
  var position = 0
  private(set) var elementStart = 0

  private var isStarted = false
  private var element: UnsafeMutablePointer<json_t>?
  /// Passes elements that need not be parsed.
  private let scanner: ElementScanner?
  /// Where the walk was before its last step, and whether it went back there.
  private var lastPosition = 0
  private var isBack = false

  /// - Parameter scanner: Passes elements that need not be parsed.
  init(scanner: ElementScanner? = nil) { self.scanner = scanner }

  deinit { json_decref(element) }

  func next(in window: UnsafeRawBufferPointer, isLast: Bool) throws(WalkStop) -> WalkStep {
    json_decref(element)
    element = nil
    while true {
      let end = UnsafeRawBufferPointer(rebasing: window[position...])
        .firstOffset(of: UInt8(ascii: "\n")).map { position + $0 }
      guard end != nil || isLast else { throw .incomplete }
      let line = UnsafeRawBufferPointer(rebasing: window[..<(end ?? window.count)])
      var cursor = TextCursor(bytes: line, isLast: true, position: position)
      if !isStarted { try cursor.skipByteOrderMark() }
      isStarted = true
      if cursor.skipBlank() {
        guard end != nil else { return .end }
        position = line.count + 1
        continue
      }
      elementStart = cursor.position
      lastPosition = cursor.position
      let scannedEnd = isBack ? nil : scanner?.end(ofObjectAt: cursor.position, in: line)
      if let scannedEnd {
        cursor.position = scannedEnd
      } else {
        element = try cursor.value(depth: 0)
        scanner?.refuse()
      }
      try cursor.finish()
      position = min(line.count + 1, window.count)
      isBack = false
      return element.map { .element(JSONNode($0)) } ?? .scanned
    }
  }

  func goBack() {
    position = lastPosition
    isBack = true
  }
}
