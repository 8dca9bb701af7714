import MohoMapping

/// Where the text of the values is that a reader is moved to, for what the
/// parser does not keep: how numbers are written.
// SAFETY: The bytes are borrowed for the call that moves the reader and reads
// from it; each move replaces them.
final class SourceText {
  private let bytes: UnsafeRawBufferPointer
  private let path: FieldPath
  private let isElement: Bool
  private var elements: PartCursor?

  /// - Parameters:
  ///   - bytes: A text that is known to be JSON.
  ///   - path: The way to the array whose elements are read, if they are.
  ///   - isElement: Whether the text is that of one element.
  init(
    _ bytes: UnsafeRawBufferPointer, path: FieldPath = FieldPath([]), isElement: Bool = false
  ) {
    self.bytes = bytes
    self.path = path
    self.isElement = isElement
  }

  /// A skipper at a path from the root.
  func place(at path: FieldPath) -> ValueSkipper? {
    guard var skipper = place(of: nil), skipper.follow(path) else { return nil }
    return skipper
  }

  /// A skipper at the root, or at an element of the array.
  ///
  /// - Complexity: For elements that are asked for in ascending order, linear
  ///   in the size of those since the last one.
  func place(of index: Int?) -> ValueSkipper? {
    let mark = bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
    guard let index, !isElement else { return ValueSkipper(bytes: bytes, position: mark) }
    if elements.map({ $0.index > index }) ?? true {
      var skipper = ValueSkipper(bytes: bytes, position: mark)
      guard skipper.follow(path) else { return nil }
      elements = PartCursor(skipper)
    }
    return elements?.move(to: index) == true ? elements?.skipper : nil
  }
}

/// Goes forward through the elements of an array, or the members of an object.
struct PartCursor {
  private(set) var skipper: ValueSkipper
  private(set) var index = -1
  private let isObject: Bool

  /// - Parameter skipper: Stands on the array or object.
  init(_ skipper: ValueSkipper) {
    self.skipper = skipper
    self.skipper.skipSpace()
    isObject = self.skipper.byte == UInt8(ascii: "{")
    self.skipper.enter()
  }

  /// Goes to a part that is not before the one that the cursor stands on.
  mutating func move(to target: Int) -> Bool {
    while index < target {
      if index >= 0 { skipper.skipValue() }
      guard isObject ? skipper.nextMember() != nil : skipper.nextElement() else { return false }
      index += 1
    }
    return index == target
  }
}

extension ValueSkipper {
  /// Goes to the value at a path inside the one at the position.
  mutating func follow(_ path: FieldPath) -> Bool {
    for component in path.components {
      skipSpace()
      switch component {
      case .each: return false
      case .key(let key):
        guard byte == UInt8(ascii: "{") else { return false }
        enter()
        var isFound = false
        while !isFound, let name = nextMember() {
          // Byte by byte, as the parser compares them.
          isFound = name.utf8.elementsEqual(key.utf8)
          if !isFound { skipValue() }
        }
        guard isFound else { return false }
      case .index(let index):
        guard byte == UInt8(ascii: "[") else { return false }
        var cursor = PartCursor(self)
        guard cursor.move(to: index) else { return false }
        self = cursor.skipper
      }
    }
    return true
  }
}
