public import Foundation
public import MohoMapping

extension JSONAdapter {
  /// The elements of an array in a JSON text, for saving them in a store.
  ///
  /// ```swift
  /// let feed = try Data(contentsOf: file, options: .mappedIfSafe)
  /// try store.write { try $0.save(decoding: adapter.fields(from: feed, at: "items")) }
  /// ```
  ///
  /// Saving them saves what ``models(from:at:)-(Data,_)`` returns, and throws what it
  /// throws, but need not create the models. Nothing is decoded before. The text is
  /// decoded again by each use of the value, and if it contains an error.
  ///
  /// - Parameters:
  ///   - data: The text, in UTF-8.
  ///   - path: The path of the array, such as `"items"`; the root by default.
  public func fields(from data: Data, at path: FieldPath? = nil) -> UndecodedModels<Model> {
    UndecodedModels(
      byteCount: data.count,
      models: { try models(from: data, at: path) },
      forEach: { try forEachObject(of: data, at: path, read: $0, finish: $1) })
  }

  /// - Returns: False if the mapping needs models.
  private func forEachObject(
    of data: Data, at path: FieldPath?, read: (any FieldDecoder) throws -> Void,
    finish: (_ end: Int) throws -> Void
  ) throws -> Bool {
    try checkDeclaration(and: path)
    return try withScanner { scanner in
      guard let scanner else { return false }
      try forEachObject(
        of: data, ElementDecoder(self, .array(at: path ?? FieldPath([])), scanner), scanner,
        read: read, finish: finish)
      return true
    }
  }

  private func forEachObject(
    of data: Data, _ decoder: ElementDecoder<Model>, _ scanner: ObjectScanner,
    read: (any FieldDecoder) throws -> Void, finish: (_ end: Int) throws -> Void
  ) throws {
    var index = 0
    // SAFETY: The bytes are used only inside the call.
    try data.withUnsafeBytes { bytes in
      while true {
        switch try decoder.walker.next(in: bytes, isLast: true) {
        case .end: return
        case .scanned:
          // The diagnostic path reports what is wrong.
          guard (try? read(scanner.fields)) != nil, !scanner.hasGivenUp else {
            decoder.walker.goBack()
            continue
          }
        case .element(let element):
          try decoder.fields.move(toElement: element, index: index)
          try read(decoder.fields)
        }
        try finish(decoder.walker.position)
        index += 1
      }
    }
  }
}
