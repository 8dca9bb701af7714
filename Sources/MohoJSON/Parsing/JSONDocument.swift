import CJansson
public import Foundation
public import MohoMapping

/// A parsed JSON text, from which several adapters may read.
///
/// ```swift
/// let feed = try JSONDocument(parsing: data)
/// let title = feed.value(at: "title")
/// let episodes = try JSONAdapter<Episode>().models(from: feed, at: "items")
/// ```
///
/// Parsing is strict: it refuses what RFC 8259 does, and also two members of
/// one key, more than 2,048 levels of nesting, and numbers outside the range of
/// doubles. The root may be any value. A byte order mark at
/// the beginning is skipped.
///
/// A document keeps the text, to say where in it a value is that cannot be
/// decoded.
///
/// The document never changes once it is parsed, and so may be read by several
/// threads at a time.
public final class JSONDocument: @unchecked Sendable {
  // SAFETY: `@unchecked Sendable` because the tree is written by the initializer
  // and freed by `deinit`, and only read between the two. No reference count in
  // it changes meanwhile: nodes are borrowed.
  private let root: UnsafeMutablePointer<json_t>
  let text: Data

  /// Parses JSON text in UTF-8.
  ///
  /// - Throws: ``JSONError`` with the place of the first mistake.
  /// - Complexity: Linear in the number of bytes.
  public init(parsing data: Data) throws {
    // SAFETY: Jansson copies what it keeps of the bytes, and reads no more of
    // them than it is given.
    text = data
    root = try data.withUnsafeBytes { bytes in try Self.parse(bytes) }
  }

  /// Parses JSON text.
  ///
  /// - Throws: ``JSONError`` with the place of the first mistake.
  /// - Complexity: Linear in the length of the text.
  public convenience init(parsing text: String) throws {
    try self.init(parsing: Data(text.utf8))
  }

  deinit { json_decref(root) }

  /// The value at a path, the whole document unless one is given; nil where
  /// there is none. Null on the way to it makes it null. A path that collects
  /// leads to none.
  ///
  /// - Complexity: Linear in the size of the value, which is copied.
  public func value(at path: FieldPath = FieldPath([])) -> JSONValue? {
    guard path.elementPath == nil else { return nil }
    return withRoot { root in
      guard let node = PathTable([path]).found(0, from: root) else { return nil }
      // SAFETY: The bytes are used inside the call that lends them only.
      return text.withUnsafeBytes { bytes in
        JSONValue(node, at: SourceText(bytes).place(at: path))
      }
    }
  }

  /// The type of the value at a path, the root's unless one is given; nil where
  /// there is none.
  public func kind(at path: FieldPath = FieldPath([])) -> JSONValue.Kind? {
    guard path.elementPath == nil else { return nil }
    return withRoot { root in PathTable([path]).found(0, from: root)?.kind }
  }

  /// Calls a function with the root, which must not outlive the call.
  func withRoot<Result>(_ body: (JSONNode) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(self) { try body(JSONNode(root)) }
  }

  private static func parse(_ text: UnsafeRawBufferPointer) throws -> UnsafeMutablePointer<json_t> {
    let mark = text.starts(with: byteOrderMark) ? byteOrderMark.count : 0
    let document = UnsafeRawBufferPointer(rebasing: text[mark...])
    guard !document.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
      throw JSONError(
        code: .emptyInput, line: 1, column: 1, offset: 0, message: "the input is empty")
    }
    var error = json_error_t()
    let flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY
    if let root = JSONParser.parse(document, flags, &error) {
      guard let offset = text.firstNull else { return root }
      json_decref(root)
      throw JSONError(.syntax, offset: offset, in: text)
    }
    error.position += CInt(mark)
    throw JSONError(error, in: text)
  }
}
