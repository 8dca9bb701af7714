import Foundation
import MohoMapping

/// Finds the places of values in a document by their paths, all in one second
/// look at its bytes.
///
/// The text must be JSON. A path that leads nowhere has the place of the value
/// that it leads to last.
///
/// - Complexity: Linear in the number of bytes and the lengths of the paths.
struct PositionFinder {
  private let root = Step()
  private var positions: [Int: TextPosition] = [:]

  /// Finds the places of the values that errors are about.
  ///
  /// - Parameters:
  ///   - errors: The errors.
  ///   - bytes: A text.
  ///   - start: Where the text stands in a larger one.
  ///   - prefix: How many steps of each path lead to the text.
  init(
    of errors: [MappingError], in bytes: UnsafeRawBufferPointer,
    from start: PlaceCounter = PlaceCounter(), dropping prefix: Int = 0
  ) {
    for error in errors { insert(error.path) }
    let hasMark = start.offset == 0 && bytes.starts(with: byteOrderMark)
    let top = root.descendant(dropping: prefix)
    var skipper = ValueSkipper(bytes: bytes, position: hasMark ? byteOrderMark.count : 0)
    top.find(with: &skipper)

    var offsets = Set<Int>()
    root.settle(top.offset ?? 0) { offsets.insert($0) }
    var counter = start
    var position = 0
    for offset in offsets.sorted() {
      counter.count(UnsafeRawBufferPointer(rebasing: bytes[position..<offset]))
      position = offset
      positions[offset] = counter.position
    }
  }

  /// The error, and those that it is made of, with their places.
  func located(_ error: MappingError) -> MappingError {
    let errors = error.errors.map { error in
      guard let path = error.path else { return error }
      var located = error
      located.position = root.offset(at: path.components[...]).flatMap { positions[$0] }
      return located
    }
    return MappingError(errors) ?? error
  }

  private func insert(_ path: FieldPath?) {
    guard let path else { return }
    var step = root
    for component in path.components { step = step.next(component) }
  }
}

extension MappingError {
  /// The error with the places of the values in a text.
  func located(in text: Data) -> MappingError {
    text.withUnsafeBytes { PositionFinder(of: errors, in: $0) }.located(self)
  }
}

extension [MappingError] {
  /// The errors with the places of the values in a text.
  func located(in text: Data) -> [MappingError] {
    guard !isEmpty else { return self }
    let finder = text.withUnsafeBytes { PositionFinder(of: self, in: $0) }
    return map { finder.located($0) }
  }
}

/// A step of the paths that are looked for.
private final class Step {
  /// Where the value begins.
  var offset: Int?
  private var steps: [FieldPath.Component: Step] = [:]

  func next(_ component: FieldPath.Component) -> Step {
    if let step = steps[component] { return step }
    let step = Step()
    steps[component] = step
    return step
  }

  /// The only step behind so many.
  func descendant(dropping count: Int) -> Step {
    count == 0 ? self : steps.values.first?.descendant(dropping: count - 1) ?? self
  }

  func offset(at path: ArraySlice<FieldPath.Component>) -> Int? {
    guard let component = path.first else { return offset }
    return steps[component]?.offset(at: path.dropFirst())
  }

  /// Finds the places of the steps inside the value at a position, and passes
  /// the value.
  func find(with skipper: inout ValueSkipper) {
    skipper.skipSpace()
    offset = skipper.position
    guard !steps.isEmpty else { return skipper.skipValue() }
    switch skipper.byte {
    case UInt8(ascii: "["):
      skipper.forEachElement { index, skipper in
        visit(.index(index), with: &skipper)
      }
    case UInt8(ascii: "{"):
      skipper.forEachMember { key, skipper in
        visit(.key(key), with: &skipper)
      }
    default:
      skipper.skipValue()
    }
  }

  private func visit(_ component: FieldPath.Component, with skipper: inout ValueSkipper) {
    if let step = steps[component] {
      step.find(with: &skipper)
    } else {
      skipper.skipValue()
    }
  }

  /// Gives what was not found the place of what should hold it.
  func settle(_ offset: Int, visit: (Int) -> Void) {
    let own = self.offset ?? offset
    self.offset = own
    visit(own)
    for step in steps.values { step.settle(own, visit: visit) }
  }
}
