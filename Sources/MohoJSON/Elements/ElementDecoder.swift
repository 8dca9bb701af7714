import MohoMapping

/// Decodes the elements of a text, each on the fast path if the scanner passes it,
/// else on the diagnostic path.
final class ElementDecoder<Model> {
  let adapter: JSONAdapter<Model>
  let walker: ElementWalker
  let scanner: ObjectScanner?
  /// Decodes the elements that are parsed.
  let fields: TreeFieldDecoder
  private let path: FieldPath
  private var locator = SourceLocator()
  /// The offset in the window up to which the locator has counted.
  private var locatedOffset = 0

  init(_ adapter: JSONAdapter<Model>, _ layout: StreamLayout, _ scanner: ObjectScanner?) {
    self.adapter = adapter
    path = layout.arrayPath ?? FieldPath([])
    self.scanner = scanner
    walker = ElementWalker(layout, scanner: scanner)
    fields = TreeFieldDecoder(adapter, array: path)
  }

  /// Decodes a parsed element.
  ///
  /// - Parameters:
  ///   - window: The bytes that the walker has parsed.
  /// - Returns: The model, or all keys that failed, and the unknown keys to report.
  func decode(
    _ element: JSONNode, index: Int, in window: UnsafeRawBufferPointer
  ) throws -> (result: Result<Model, MappingError>, reports: [MappingError]) {
    let result: Result<Model, MappingError>
    do {
      try fields.move(toElement: element, index: index)
      result = .success(try adapter.mapping.model(from: fields))
    } catch let error as MappingError {
      let errors = located(adapter.wanted(error).errors, in: element, of: window)
      result = .failure(MappingError(errors) ?? error)
    }
    return (result, located(fields.check?.removeAll() ?? [], in: element, of: window))
  }

  private func located(
    _ errors: [MappingError], in element: JSONNode, of window: UnsafeRawBufferPointer
  ) -> [MappingError] {
    guard !errors.isEmpty else { return [] }
    count(upTo: walker.elementStart, in: window)
    let rest = UnsafeRawBufferPointer(rebasing: window[locatedOffset...])
    return errors.located(
      in: element, dropping: path.components.count + 1, rest, from: locator,
      offsetBy: locatedOffset)
  }

  /// The position of an offset in a window that is not before a previous one.
  func position(of offset: Int, in window: UnsafeRawBufferPointer) -> TextPosition {
    count(upTo: offset, in: window)
    return locator.position
  }

  /// Prepares for a window that begins where the walk continues.
  func moveWindow(_ window: UnsafeRawBufferPointer) {
    count(upTo: walker.position, in: window)
    walker.position = 0
    locatedOffset = 0
  }

  private func count(upTo offset: Int, in window: UnsafeRawBufferPointer) {
    guard offset > locatedOffset else { return }
    locator.count(UnsafeRawBufferPointer(rebasing: window[locatedOffset..<offset]))
    locatedOffset = offset
  }
}
