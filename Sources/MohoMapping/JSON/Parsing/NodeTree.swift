/// The values of a text and their offsets, as a flat tree.
///
/// A tree can be used again for another text. It has no reference to the bytes.
// SAFETY: `@unchecked Sendable` because the tree of a document never changes, and
// other trees belong to one reader.
package final class NodeTree: @unchecked Sendable {
  enum Kind: UInt8 {
    case null, `false`, `true`, integer, double, string, escapedString, array, object
  }

  /// A value, or the key of a member, which precedes its value. An array or object ends where
  /// it starts.
  struct Node {
    let kind: Kind
    let start: Int
    let end: Int
    /// The value of a number; of an array or object, where its children begin in
    /// ``children``.
    var payload: UInt64 = 0
    /// The number of children.
    var count = 0
  }

  package init() {}

  // Exclusive access is not checked dynamically, which took a fifth of the time: only
  // `scanValue` modifies the tree, and it calls no code outside this file that does.
  @exclusivity(unchecked) private(set) var nodes = TrivialArray<Node>(capacity: 64)
  /// The positions of the children's nodes, contiguous for each array or object.
  @exclusivity(unchecked) private(set) var children = TrivialArray<Int>(capacity: 64)

  @exclusivity(unchecked) private var open: [OpenContainer] = []
  /// The children and the hashes of the keys of the open containers.
  @exclusivity(unchecked) private var openChildren = TrivialArray<Int>(capacity: 64)
  @exclusivity(unchecked) private var keyHashes = TrivialArray<Int>(capacity: 64)
  @exclusivity(unchecked) private var unescapeBuffer = UnescapeBuffer()

  private struct OpenContainer {
    let node: Int
    let isObject: Bool
    let firstChild: Int
    let firstHash: Int
    /// The hashes of all keys, of an object with many.
    var hashes: Set<Int>?
  }

  /// A tree of null.
  static let null: NodeTree = {
    let tree = NodeTree()
    tree.nodes.append(Node(kind: .null, start: 0, end: 0))
    return tree
  }()

  /// Replaces the values by the one at a cursor, which is scanned strictly.
  ///
  /// - Parameter depth: The number of containers around the value.
  // Not recursive: 2,048 levels overflow the stack of a secondary thread.
  package func scanValue(_ cursor: inout JSONCursor, depth: Int) throws(CursorStop) {
    removeAll()
    while true {
      _ = try cursor.peek()
      guard depth + open.count < JSONCursor.greatestDepth else { throw cursor.tooDeep }
      switch cursor.bytes[cursor.position] {
      case UInt8(ascii: "{"): enter(&cursor, .object)
      case UInt8(ascii: "["): enter(&cursor, .array)
      default: try scanScalar(&cursor)
      }
      while !open.isEmpty {
        // A copy of the container would make each insertion of a key copy all keys.
        let (first, isObject) = (open[open.count - 1].firstChild, open[open.count - 1].isObject)
        if try cursor.skipSeparator(after: openChildren.count - first, isObject: isObject) {
          if isObject { try scanKey(&cursor) }
          break
        }
        leave()
      }
      if open.isEmpty { return }
    }
  }

  /// Replaces the values by those of a document.
  ///
  /// - Parameter verdict: Returns another parser's verdict on a text that is not JSON.
  /// - Throws: ``JSONError`` with the position of the first error.
  package func scanDocument(
    _ text: UnsafeRawBufferPointer, _ verdict: (SyntaxFault) -> SyntaxFault = { $0 }
  ) throws {
    do throws(CursorStop) {
      try scan(document: text)
    } catch {
      // A pattern in the `catch` clause crashes the compiler (Swift 6.3).
      guard case .invalid(let fault) = error else { throw error }
      let verdict = verdict(fault)
      throw JSONError(verdict, at: SourceLocator().position(of: verdict.offset, in: text))
    }
  }

  /// Replaces the values by those of a document.
  package func scan(document text: UnsafeRawBufferPointer) throws(CursorStop) {
    var cursor = JSONCursor(text, position: text.byteOrderMarkLength)
    guard cursor.skipWhitespace() else {
      throw .invalid(SyntaxFault(code: .emptyInput, offset: 0, message: "the input is empty"))
    }
    try scanValue(&cursor, depth: 0)
    try cursor.skipToEnd()
  }

  private func removeAll() {
    nodes.removeAll(from: 0)
    children.removeAll(from: 0)
    open.removeAll(keepingCapacity: true)
    openChildren.removeAll(from: 0)
    keyHashes.removeAll(from: 0)
  }

  private func enter(_ cursor: inout JSONCursor, _ kind: Kind) {
    appendChild()
    open.append(
      OpenContainer(
        node: nodes.count, isObject: kind == .object, firstChild: openChildren.count,
        firstHash: keyHashes.count))
    nodes.append(Node(kind: kind, start: cursor.position, end: cursor.position))
    cursor.position += 1
  }

  private func leave() {
    let container = open.removeLast()
    let count = openChildren.count - container.firstChild
    nodes[container.node].payload = UInt64(children.count)
    nodes[container.node].count = count
    for position in container.firstChild..<openChildren.count {
      children.append(openChildren[position])
    }
    openChildren.removeAll(from: container.firstChild)
    keyHashes.removeAll(from: container.firstHash)
  }

  private func scanScalar(_ cursor: inout JSONCursor) throws(CursorStop) {
    let start = cursor.position
    let (kind, payload): (Kind, UInt64) =
      switch try cursor.scanScalar() {
      case .null: (.null, 0)
      case .bool(let value): (value ? .true : .false, 0)
      case .integer(let value): (.integer, UInt64(bitPattern: value))
      case .double(let value): (.double, value.bitPattern)
      case .string(let string): (string.hasEscapes ? .escapedString : .string, 0)
      }
    appendChild()
    nodes.append(Node(kind: kind, start: start, end: cursor.position, payload: payload))
  }

  /// Adds the next node to the children of the innermost container.
  private func appendChild() {
    if !open.isEmpty { openChildren.append(nodes.count) }
  }

  /// Scans a key and its colon.
  private func scanKey(_ cursor: inout JSONCursor) throws(CursorStop) {
    let key = try cursor.scanKey()
    let bytes =
      key.hasEscapes
      ? UnsafeRawBufferPointer(unescapeBuffer.unescape(cursor.bytes, key.content))
      : UnsafeRawBufferPointer(rebasing: cursor.bytes[key.content])
    // Seeded by process, so that no text is made of keys with one hash.
    var hasher = Hasher()
    hasher.combine(bytes: bytes)
    if isDuplicate(hasher.finalize(), bytes, in: cursor.bytes) {
      throw .invalid(cursor.duplicateKey(key.start..<key.end))
    }
    nodes.append(
      Node(kind: key.hasEscapes ? .escapedString : .string, start: key.start, end: key.end))
    try cursor.skipColon()
  }

  /// Adds the hash of a key to the innermost object.
  ///
  /// - Returns: Whether the object already has the key.
  private func isDuplicate(
    _ hash: Int, _ key: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer
  ) -> Bool {
    let last = open.count - 1
    let first = open[last].firstHash
    var isKnown = false
    if open[last].hashes != nil {
      isKnown = open[last].hashes?.insert(hash).inserted == false
    } else {
      for position in first..<keyHashes.count where keyHashes[position] == hash { isKnown = true }
      if keyHashes.count - first >= 16 {
        open[last].hashes = Set((first..<keyHashes.count).map { keyHashes[$0] } + [hash])
      }
    }
    keyHashes.append(hash)
    guard isKnown else { return false }
    return (open[last].firstChild..<openChildren.count).contains { position in
      JSONNode(self, text, openChildren[position]).hasKey(key)
    }
  }
}
