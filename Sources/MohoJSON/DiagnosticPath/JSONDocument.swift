public import Foundation
public import MohoMapping

/// A parsed JSON text that several adapters can read.
///
/// ```swift
/// let feed = try JSONDocument(parsing: data)
/// let title = feed.value(at: "title")
/// let episodes = try JSONAdapter<Episode>().models(from: feed, at: "items")
/// ```
///
/// Parsing is strict by RFC 8259. It also refuses duplicate keys, more than 2,048
/// levels of nesting, and numbers outside the range of doubles. The root may be
/// any value. A leading byte order mark is skipped.
///
/// A document retains its text, so that errors have lines and columns. It never
/// changes, and threads may share it.
public final class JSONDocument: Sendable {
  let text: Data
  private let tree = NodeTree()

  /// Parses JSON text in UTF-8.
  ///
  /// - Throws: `JSONError` with the position of the first error. Where libjansson is
  ///   available, the error is its verdict.
  /// - Complexity: Linear in the number of bytes.
  public init(parsing data: Data) throws {
    text = data
    // SAFETY: The bytes are used only inside the call.
    try data.withUnsafeBytes { bytes in
      try tree.scanDocument(bytes) { fault in
        #if canImport(CJansson)
          JanssonVerdict.fault(in: bytes) ?? fault
        #else
          fault
        #endif
      }
    }
  }

  /// Parses JSON text.
  ///
  /// - Throws: `JSONError` with the position of the first error.
  /// - Complexity: Linear in the length of the text.
  public convenience init(parsing text: String) throws {
    try self.init(parsing: Data(text.utf8))
  }

  /// The value at a path, or the whole document by default; nil if the path does
  /// not exist.
  ///
  /// The value is null if there is a null on the way. A path with `[*]` does not
  /// lead to a value.
  ///
  /// - Complexity: Linear in the size of the value, which is copied, and in the
  ///   number of members of the objects on the way.
  public func value(at path: FieldPath = FieldPath([])) -> JSONValue? {
    guard path.elementPath == nil else { return nil }
    return withRoot { root in PathTable([path]).found(0, from: root).map { JSONValue($0) } }
  }

  /// The type of the value at a path, or of the root by default; nil if the path
  /// does not exist.
  public func kind(at path: FieldPath = FieldPath([])) -> JSONValue.Kind? {
    guard path.elementPath == nil else { return nil }
    return withRoot { root in PathTable([path]).found(0, from: root)?.kind }
  }

  /// Calls a function with the root, which must not outlive the call.
  func withRoot<Result>(_ body: (JSONNode) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(tree) {
      try text.withUnsafeBytes { bytes in try body(JSONNode(tree, bytes)) }
    }
  }

  /// Errors with the positions of their values.
  func located(_ errors: [MappingError]) -> [MappingError] {
    withRoot { root in text.withUnsafeBytes { errors.located(in: root, $0) } }
  }
}
