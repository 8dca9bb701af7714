import MohoMapping

extension JSONError {
  /// Why a walk stopped in a window of a text.
  ///
  /// - Parameter start: Counts up to an offset of the window.
  init?(_ stop: WalkStop, in window: UnsafeRawBufferPointer, place: (Int) -> TextPosition) {
    switch stop {
    case .incomplete, .mismatch, .missing:
      return nil
    case .syntax(let error, let offset):
      let rest = UnsafeRawBufferPointer(rebasing: window[offset...])
      self = JSONError(error, in: rest).moved(to: place(offset))
    case .fault(let code, let offset, let expected):
      let rest = UnsafeRawBufferPointer(rebasing: window[offset...])
      let position = place(offset)
      self.init(
        code: code, line: position.line, column: position.column, offset: position.offset,
        message: Self.message(code, TextScanner(bytes: rest), expected: expected))
    }
  }

  /// The error about the token at an offset of a text.
  init(_ code: Code, offset: Int, in text: UnsafeRawBufferPointer) {
    var counter = PlaceCounter()
    counter.count(UnsafeRawBufferPointer(rebasing: text[..<offset]))
    let position = counter.position
    let rest = UnsafeRawBufferPointer(rebasing: text[offset...])
    self.init(
      code: code, line: position.line, column: position.column, offset: offset,
      message: Self.message(code, TextScanner(bytes: rest), expected: nil))
  }

  private static func message(
    _ code: Code, _ scanner: TextScanner, expected: String?
  ) -> String {
    let token = scanner.token(endingAt: 1).map(scanner.text) ?? ""
    switch code {
    case .unexpectedEnd: return "unexpected end of input"
    case .emptyInput: return "the input is empty"
    case .tooDeep: return "more than 2048 levels of nesting"
    case .duplicateKey: return "duplicate key \(quoted(String(token.dropFirst().dropLast())))"
    default: return "unexpected \(shown(token))" + (expected.map { ", expected \($0)" } ?? "")
    }
  }

  /// The error of a text that begins at a place of a larger one.
  private func moved(to start: TextPosition) -> JSONError {
    JSONError(
      code: code, line: line + start.line - 1,
      column: line == 1 ? column + start.column - 1 : column, offset: offset + start.offset,
      message: message)
  }
}
