import MohoMapping

/// Decodes elements from the parts of a text as they arrive, in a window that
/// contains the bytes not decoded yet.
@usableFromInline
final class StreamDecoder<Model> {
  private let decoder: ElementDecoder<Model>
  private let path: FieldPath
  private let limit: Int
  private var window: [UInt8] = []
  private var index = -1
  private var isEnded = false
  private var isChecked = false
  /// The last model. Its memory is used again.
  private var models: [Model] = []

  private var adapter: JSONAdapter<Model> { decoder.adapter }
  private var walker: ElementWalker { decoder.walker }

  /// - Parameter limit: The most bytes of an element.
  init(_ adapter: JSONAdapter<Model>, _ layout: StreamLayout, limit: Int) {
    self.limit = limit
    path = layout.arrayPath ?? FieldPath([])
    decoder = ElementDecoder(adapter, layout, adapter.makeScanner())
  }

  /// The number of bytes to wait for: as many as the window contains, so that an
  /// element in many parts is scanned a few times only.
  @usableFromInline var wantedCount: Int { max(65_536, window.count - walker.position) }

  /// Adds the next bytes of the text.
  @usableFromInline
  func append(_ bytes: UnsafeRawBufferPointer) {
    if walker.position > 0 {
      let position = walker.position
      window.withUnsafeBytes { decoder.moveWindow($0) }
      window.removeFirst(position)
    }
    window.append(contentsOf: bytes)
  }

  /// The next element; nil at the end, and if bytes of it are missing.
  ///
  /// - Parameter isLast: Whether no bytes follow.
  @usableFromInline
  func next(isLast: Bool) throws -> StreamedElement<Model>? {
    guard !isEnded else { return nil }
    if !isChecked { try adapter.checkDeclaration(and: path) }
    isChecked = true
    do {
      return try window.withUnsafeBytes { bytes in
        do {
          return try next(in: bytes, isLast: isLast)
        } catch let stop as CursorStop {
          guard case .incomplete = stop else { throw error(stop, in: bytes) }
          // Separators before an element are not part of it.
          let start = bytes[walker.position...].firstIndex {
            !$0.isJSONWhitespace && $0 != UInt8(ascii: ",")
          }
          guard let start, bytes.count - start > limit else { return nil }
          throw tooLarge(start, in: bytes)
        }
      }
    } catch {
      isEnded = true
      throw error
    }
  }

  private func next(
    in bytes: UnsafeRawBufferPointer, isLast: Bool
  ) throws -> StreamedElement<Model>? {
    let step = try walker.next(in: bytes, isLast: isLast)
    if case .end = step {
      isEnded = true
      return nil
    }
    if walker.position - walker.elementStart > limit {
      throw tooLarge(walker.elementStart, in: bytes)
    }
    guard case .element(let element) = step else {
      if let element = scanned() { return element }
      walker.goBack()
      return try next(in: bytes, isLast: isLast)
    }
    index += 1
    let (result, reports) = try decoder.decode(element, index: index, in: bytes)
    adapter.report(reports)
    return StreamedElement(index: index, result: result)
  }

  /// The element that the scanner has passed; nil if it must be parsed.
  private func scanned() -> StreamedElement<Model>? {
    guard let scanner = decoder.scanner else { return nil }
    defer {
      scanner.end()
      models.removeAll(keepingCapacity: true)
    }
    var isFirst = true
    do {
      try adapter.mapping.read(into: &models, from: scanner.fields) {
        defer { isFirst = false }
        return isFirst
      }
    } catch {
      // The diagnostic path reports what is wrong, if anything is.
      return nil
    }
    guard let model = models.last, !scanner.hasGivenUp else { return nil }
    index += 1
    return StreamedElement(index: index, result: .success(model))
  }

  private func error(_ stop: CursorStop, in bytes: UnsafeRawBufferPointer) -> any Error {
    switch stop {
    case .invalid(let fault):
      return JSONError(fault, at: decoder.position(of: fault.offset, in: bytes))
    case .mismatch(let found, let offset, let steps, let expected):
      var error = MappingError(
        .invalidType, model: adapter.mapping.name,
        path: FieldPath(Array(path.components.prefix(steps))), found: found,
        expected: expected.description)
      error.position = decoder.position(of: offset, in: bytes)
      return error
    case .incomplete, .missing:
      return MappingError(.missingValue, model: adapter.mapping.name, path: path)
    }
  }

  private func tooLarge(_ offset: Int, in bytes: UnsafeRawBufferPointer) -> JSONError {
    JSONError(
      SyntaxFault(
        code: .elementTooLarge, offset: offset, message: "an element of more than \(limit) bytes"),
      at: decoder.position(of: offset, in: bytes))
  }
}
