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
  private let root = PathStep()
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
    for case let path? in errors.map(\.path) { root.insert(path) }
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
