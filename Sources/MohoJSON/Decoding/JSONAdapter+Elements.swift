import Foundation
import MohoMapping

extension JSONAdapter {
  /// Reads the elements of an array of a text, one after the other; by way of
  /// the whole document only where the walk finds anything odd.
  func elements(
    of data: Data, at path: FieldPath?, stopsAtFirst: Bool
  ) throws -> ArrayReading<Model> {
    try checkDeclaration(and: path)
    let scanner = ElementScanner(self)
    let walk = ArrayWalk(path: path ?? FieldPath([]), scanner: scanner)
    // SAFETY: The bytes are used inside the call that lends them only.
    let reading = try data.withUnsafeBytes { bytes -> ArrayReading<Model>? in
      defer { scanner?.end() }
      let elements = ElementSource(
        path: path, text: SourceText(bytes, path: path ?? FieldPath([])), scanner: scanner,
        next: { try walk.next(in: bytes, isLast: true) }, goBack: { walk.goBack() },
        part: { Double(walk.position) / Double(bytes.count) })
      do {
        return try read(elements, stopsAtFirst: stopsAtFirst)
      } catch is WalkStop {
        return nil
      }
    }
    guard let reading else {
      return try self.elements(
        of: JSONDocument(parsing: data), at: path, stopsAtFirst: stopsAtFirst)
    }
    return finished(reading, in: data)
  }

  /// Reads the elements of an array of a document.
  func elements(
    of document: JSONDocument, at path: FieldPath?, stopsAtFirst: Bool
  ) throws -> ArrayReading<Model> {
    try checkDeclaration(and: path)
    return try document.withRoot { root in
      let array: JSONNode
      do {
        array = try ValueReader(model: mapping.name)
          .value(at: path, in: root, from: FieldPath([]), kind: .array)
      } catch let error as MappingError {
        throw error.located(in: document.text)
      }
      var index = -1
      // SAFETY: The bytes are used inside the call that lends them only.
      let reading = try document.text.withUnsafeBytes { bytes in
        let elements = ElementSource(
          path: path, text: SourceText(bytes, path: path ?? FieldPath([])), scanner: nil,
          next: {
            index += 1
            return array.element(at: index).map { .element($0) } ?? .end
          }, goBack: {}, part: { 1 })
        return try read(elements, stopsAtFirst: stopsAtFirst)
      }
      return finished(reading, in: document.text)
    }
  }

  /// What was read, with places in the text, once unknown keys are reported.
  private func finished(_ reading: ArrayReading<Model>, in text: Data) -> ArrayReading<Model> {
    let reading = reading.located(in: text)
    report(reading.reports)
    return reading
  }

  /// Reads elements until there is none.
  private func read(
    _ elements: borrowing ElementSource, stopsAtFirst: Bool
  ) throws -> ArrayReading<Model> {
    let reader = ElementReader(self, prefix: elements.path ?? FieldPath([]))
    var reading = ArrayReading<Model>()
    var step = try elements.next()
    while true {
      switch step {
      case .end:
        reading.reports = reader.takeReports()
        return reading
      case .element(let node):
        step = try readParsed(node, elements, reader, into: &reading, stopsAtFirst: stopsAtFirst)
      case .scanned:
        if reading.count >= reading.room { reading.makeRoom(havingRead: elements.part()) }
        step = try readScanned(elements, into: &reading)
      }
    }
  }

  /// Reads a parsed element and those behind it, up to one that the scanner has
  /// passed, or that fails.
  private func readParsed(
    _ first: JSONNode, _ elements: borrowing ElementSource, _ reader: ElementReader,
    into reading: inout ArrayReading<Model>, stopsAtFirst: Bool
  ) throws -> WalkStep {
    var step = WalkStep.element(first)
    var isFirst = true
    do {
      try mapping.read(into: &reading.models, from: reader.fields) {
        if !isFirst { step = try elements.next() }
        isFirst = false
        guard case .element(let node) = step else { return false }
        reading.count += 1
        try reader.move(to: node, index: reading.count - 1, in: elements.text)
        return true
      }
      return step
    } catch let error as MappingError {
      reading.failures.append(ElementFailure(index: reading.count - 1, error: wanted(error)))
      return stopsAtFirst ? .end : try elements.next()
    }
  }

  /// Reads an element that the scanner has passed and those behind it, up to one
  /// that is parsed, or that there is no room for.
  private func readScanned(
    _ elements: borrowing ElementSource, into reading: inout ArrayReading<Model>
  ) throws -> WalkStep {
    guard let scanner = elements.scanner else { return .end }
    var step = WalkStep.scanned
    var isFirst = true
    do {
      try mapping.read(into: &reading.models, from: scanner.fields) {
        if !isFirst {
          guard !scanner.hasGivenUp else { return false }
          step = try elements.next()
        }
        guard case .scanned = step, isFirst || reading.count < reading.room else { return false }
        isFirst = false
        reading.count += 1
        return true
      }
      guard scanner.hasGivenUp else { return step }
    } catch let stop as WalkStop {
      throw stop
    } catch {
      // The parser will tell what is wrong, if anything is.
    }
    reading.count -= 1
    reading.models.removeLast(reading.models.count + reading.failures.count - reading.count)
    elements.goBack()
    return try elements.next()
  }

  /// The part of an error that the policy asks for.
  func wanted(_ error: MappingError) -> MappingError {
    errors == .first ? error.errors.first ?? error : error
  }
}
