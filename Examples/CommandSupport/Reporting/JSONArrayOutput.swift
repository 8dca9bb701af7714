import Foundation

/// Writes a JSON array to standard output while its elements are read, each on
/// a line of its own.
public struct JSONArrayOutput {
  private var isEmpty = true

  /// Creates the output of an array without elements. Nothing is written yet.
  public init() {}

  /// Writes elements.
  ///
  /// - Parameter elements: Valid JSON in UTF-8.
  /// - Throws: ``Failure``.
  public mutating func print(_ elements: [Data]) throws {
    guard !elements.isEmpty else { return }
    let texts = elements.map { JSONText($0).text.dropLast() }
    try Output.write((isEmpty ? "[\n" : ",\n") + texts.joined(separator: ",\n"))
    isEmpty = false
  }

  /// Writes the end of the array.
  ///
  /// - Throws: ``Failure``.
  public func end() throws { try Output.write(isEmpty ? "[]\n" : "\n]\n") }
}
