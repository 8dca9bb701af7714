import MohoMapping

/// Reads elements from the parts of a text, as they come: a window on the text
/// that holds what is not read yet.
@usableFromInline
final class ElementParser<Model> {
  private let adapter: JSONAdapter<Model>
  private let path: FieldPath
  private let limit: Int
  private let walk: any ElementWalk
  private let reader: ElementReader
  private let scanner: ElementScanner?
  private var window: [UInt8] = []
  private var index = -1
  private var isEnded = false
  private var isChecked = false
  /// The model that was read last: memory that is used again.
  private var models: [Model] = []
  /// Counts up to an offset of the window.
  private var counter = PlaceCounter()
  private var countedOffset = 0

  /// - Parameter limit: The most bytes of an element.
  init(_ adapter: JSONAdapter<Model>, layout: StreamLayout, limit: Int) {
    self.adapter = adapter
    self.limit = limit
    switch layout {
    case .rootArray: path = FieldPath([])
    case .array(let path): self.path = path
    case .lines: path = FieldPath([])
    }
    scanner = ElementScanner(adapter)
    walk =
      layout == .lines
      ? LineWalk(scanner: scanner) : ArrayWalk(path: path, scanner: scanner)
    reader = ElementReader(adapter, prefix: path)
  }

  /// How many bytes are worth waiting for. As many as there are, so that an
  /// element that comes in many parts is looked at seldom.
  @usableFromInline var wantedCount: Int { max(65_536, window.count - walk.position) }

  /// Adds what comes next.
  @usableFromInline
  func append(_ bytes: UnsafeRawBufferPointer) {
    discard()
    window.append(contentsOf: bytes)
  }

  /// The next element; nil at the end, and where its bytes are not all there.
  ///
  /// - Parameter isLast: Whether nothing comes next.
  @usableFromInline
  func next(isLast: Bool) throws -> StreamedElement<Model>? {
    guard !isEnded else { return nil }
    if !isChecked { try adapter.checkDeclaration(and: path) }
    isChecked = true
    do {
      return try window.withUnsafeBytes { bytes in
        do {
          return try next(in: bytes, isLast: isLast)
        } catch let stop as WalkStop {
          guard case .incomplete = stop else { throw error(stop, in: bytes) }
          // What separates the element from the one before is no part of it.
          let separators: [UInt8] = [0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ",")]
          let start = bytes[walk.position...].firstIndex { !separators.contains($0) }
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
    switch try walk.next(in: bytes, isLast: isLast) {
    case .end:
      isEnded = true
      return nil
    case .element(let node):
      return try parsed(node, in: bytes)
    case .scanned:
      if walk.position - walk.elementStart > limit {
        throw tooLarge(walk.elementStart, in: bytes)
      }
      if let element = scanned() { return element }
      walk.goBack()
      return try next(in: bytes, isLast: isLast)
    }
  }

  /// The element that the scanner has passed; nil where it must be parsed.
  private func scanned() -> StreamedElement<Model>? {
    guard let scanner else { return nil }
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
      // The parser will tell what is wrong, if anything is.
      return nil
    }
    guard let model = models.last, !scanner.hasGivenUp else { return nil }
    index += 1
    return StreamedElement(index: index, result: .success(model))
  }

  private func parsed(
    _ node: JSONNode, in bytes: UnsafeRawBufferPointer
  ) throws -> StreamedElement<Model>? {
    if walk.position - walk.elementStart > limit { throw tooLarge(walk.elementStart, in: bytes) }
    index += 1
    let element = UnsafeRawBufferPointer(
      rebasing: bytes[walk.elementStart..<max(walk.elementStart, walk.position)])
    defer { adapter.report(located(reader.takeReports(), in: element, of: bytes)) }
    do {
      try reader.move(to: node, index: index, in: SourceText(element, isElement: true))
      let model = try adapter.mapping.model(from: reader.fields)
      return StreamedElement(index: index, result: .success(model))
    } catch let error as MappingError {
      let errors = located(adapter.wanted(error).errors, in: element, of: bytes)
      return StreamedElement(index: index, result: .failure(MappingError(errors) ?? error))
    }
  }

  /// Errors with the places of the values in an element.
  private func located(
    _ errors: [MappingError], in element: UnsafeRawBufferPointer,
    of bytes: UnsafeRawBufferPointer
  ) -> [MappingError] {
    guard !errors.isEmpty else { return [] }
    count(upTo: walk.elementStart, in: bytes)
    let finder = PositionFinder(
      of: errors, in: element, from: counter, dropping: path.components.count + 1)
    return errors.map { finder.located($0) }
  }

  /// Forgets what is read.
  private func discard() {
    guard walk.position > 0 else { return }
    window.withUnsafeBytes { count(upTo: walk.position, in: $0) }
    window.removeFirst(walk.position)
    walk.position = 0
    countedOffset = 0
  }

  private func count(upTo offset: Int, in bytes: UnsafeRawBufferPointer) {
    guard offset > countedOffset else { return }
    counter.count(UnsafeRawBufferPointer(rebasing: bytes[countedOffset..<offset]))
    countedOffset = offset
  }

  private func place(of offset: Int, in bytes: UnsafeRawBufferPointer) -> TextPosition {
    count(upTo: offset, in: bytes)
    return counter.position
  }

  private func error(_ stop: WalkStop, in bytes: UnsafeRawBufferPointer) -> any Error {
    switch stop {
    case .mismatch(let found, let offset, let steps, let expected):
      var error = MappingError(
        .invalidType, model: adapter.mapping.name,
        path: FieldPath(Array(path.components.prefix(steps))), found: found,
        expected: expected.description)
      error.position = place(of: offset, in: bytes)
      return error
    case .missing:
      return MappingError(.missingValue, model: adapter.mapping.name, path: path)
    default:
      return JSONError(stop, in: bytes) { place(of: $0, in: bytes) }
        ?? MappingError(.missingValue, model: adapter.mapping.name, path: path)
    }
  }

  private func tooLarge(_ offset: Int, in bytes: UnsafeRawBufferPointer) -> JSONError {
    let place = place(of: offset, in: bytes)
    return JSONError(
      code: .elementTooLarge, line: place.line, column: place.column, offset: place.offset,
      message: "an element of more than \(limit) bytes")
  }
}
