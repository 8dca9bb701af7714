import Foundation
import TextTables

/// A JSON document that is safe to show: characters that would steer a terminal
/// are JSON's own escapes, so that it reads as the same values.
public struct JSONText: Sendable {
  /// The text, with a line feed at its end.
  public let text: String

  /// Makes the text of a document.
  ///
  /// - Parameter document: Valid JSON in UTF-8.
  public init(_ document: Data) {
    text = VisibleText.escapedJSON(String(decoding: document, as: UTF8.self)) + "\n"
  }

  /// The text in UTF-8.
  public var data: Data { Data(text.utf8) }
}
