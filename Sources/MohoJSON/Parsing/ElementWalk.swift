import CJansson

/// Goes through a text from element to element.
protocol ElementWalk: AnyObject {
  /// Where the walk goes on, in the window of the next call.
  var position: Int { get set }

  /// Where the element begins that the walk stands on, in its window.
  var elementStart: Int { get }

  /// Goes on to the next element, or to the end.
  ///
  /// - Parameters:
  ///   - window: The text, or a part of it that holds what is at `position`.
  ///   - isLast: Whether the text ends where the window does.
  /// - Throws: ``WalkStop``; where the window is too short, the walk stays where
  ///   it is.
  func next(in window: UnsafeRawBufferPointer, isLast: Bool) throws(WalkStop) -> WalkStep

  /// Goes back to where the walk was before its last step, which was to an
  /// element that the scanner passed: it will be parsed.
  func goBack()
}

/// Where a walk has come to.
enum WalkStep {
  /// An element, valid until the walk goes on.
  case element(JSONNode)
  /// An element that the scanner of the walk has passed.
  case scanned
  /// The end of the text.
  case end
}

/// Why a walk cannot go on.
enum WalkStop: Error {
  /// The text is not the last part, and ends inside what comes next.
  case incomplete
  /// The value at an offset of the window is none.
  case syntax(json_error_t, offset: Int)
  /// Something else is wrong at an offset of the window.
  case fault(JSONError.Code, offset: Int, expected: String? = nil)
  /// What there is after some steps of the path does not lead on.
  case mismatch(String, offset: Int, steps: Int, expected: JSONValue.Kind)
  /// The path leads nowhere.
  case missing
}
