import Foundation
import MohoMapping

extension ObjectWriter {
  /// Writes unknown members at the paths that are their names.
  func encodeUnknown(
    at index: Int, names: [String], in collection: MemberCollection,
    _ body: (any FieldEncoder) throws -> Void
  ) throws {
    guard !names.isEmpty else { return }
    let keys = try collection.unknownKeys(at: index, names: names, in: path)
    try collection.inline(keys, at: index) { try body(self) }
  }

  /// Writes a JSON value in the document's layout.
  func encode(json value: JSONValue, at index: Int) throws {
    guard let path = path(ofWritten: index) else { return }
    var writer = ValueWriter(formatting: settings.formatting, depth: depth(of: index))
    do {
      try writer.append(value)
    } catch var error as MappingError {
      error.path = path.appending(error.path ?? FieldPath([]))
      throw error
    }
    if label(index) { layout.pointee.text.append(writer.text) }
  }

  /// The path of a value; nil if the key is not part of documents.
  private func path(ofWritten index: Int) -> FieldPath? {
    hasParts || key(at: index).source != nil ? path(at: index) : nil
  }
}
