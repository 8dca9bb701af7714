public import Foundation
public import MohoMapping

extension JSONAdapter {
  /// The elements of a JSON text that is an array, or holds one at a path, to be
  /// saved in a store.
  ///
  /// ```swift
  /// let feed = try Data(contentsOf: file, options: .mappedIfSafe)
  /// try store.write { try $0.save(decoding: adapter.fields(from: feed, at: "items")) }
  /// ```
  ///
  /// Saving them does what saving ``models(from:at:)-(Data,_)`` does, and throws
  /// what that throws, but need not make the models. Nothing is read before. The
  /// text is read again by whoever takes the value again, and where anything is
  /// wrong with it.
  ///
  /// - Parameters:
  ///   - data: The text, in UTF-8.
  ///   - path: Where the array is, such as `"items"`; the root unless given.
  public func fields(from data: Data, at path: FieldPath? = nil) -> UndecodedModels<Model> {
    UndecodedModels(
      models: { try models(from: data, at: path) },
      forEach: { try forEachObject(of: data, at: path, read: $0, finish: $1) })
  }

  /// - Returns: Whether the text is read without models.
  private func forEachObject(
    of data: Data, at path: FieldPath?, read: (any FieldDecoder) throws -> Void,
    finish: () throws -> Void
  ) throws -> Bool {
    try checkDeclaration(and: path)
    guard let scanner = ElementScanner(self) else { return false }
    let path = path ?? FieldPath([])
    let walk = ArrayWalk(path: path, scanner: scanner)
    let reader = ElementReader(self, prefix: path)
    var index = 0
    // SAFETY: The bytes are used inside the call that lends them only.
    try data.withUnsafeBytes { bytes in
      defer { scanner.end() }
      let text = SourceText(bytes, path: path)
      while true {
        switch try walk.next(in: bytes, isLast: true) {
        case .end: return
        case .scanned:
          // Whatever is wrong, the parser tells.
          guard (try? read(scanner.fields)) != nil, !scanner.hasGivenUp else {
            walk.goBack()
            continue
          }
        case .element(let node):
          try reader.move(to: node, index: index, in: text)
          try read(reader.fields)
        }
        try finish()
        index += 1
      }
    }
    return true
  }
}
