import Foundation
import MohoMapping

/// What the elements of an array were read as.
struct ArrayReading<Model> {
  var models: [Model] = []
  var failures: [ElementFailure] = []
  /// The unknown keys that are to be reported.
  var reports: [MappingError] = []
  var count = 0

  /// The models.
  ///
  /// - Throws: ``MappingError`` with the errors of all elements that failed.
  var checkedModels: [Model] {
    get throws {
      if let error = MappingError(failures.map(\.error)) { throw error }
      return models
    }
  }

  var lossyModels: LossyModels<Model> {
    let failed = Set(failures.map(\.index))
    return LossyModels(
      models: models, indices: (0..<count).filter { !failed.contains($0) }, failures: failures)
  }
}

extension JSONAdapter {
  /// Reads the elements of an array of a text, one after the other; by way of
  /// the whole document only where the walk finds anything odd.
  func elements(
    of data: Data, at path: FieldPath?, stopsAtFirst: Bool
  ) throws -> ArrayReading<Model> {
    try checkDeclaration(and: path)
    let walk = ArrayWalk(path: path ?? FieldPath([]))
    // SAFETY: The bytes are used inside the call that lends them only.
    let reading = try data.withUnsafeBytes { bytes -> ArrayReading<Model>? in
      do {
        let source = SourceText(bytes, path: path ?? FieldPath([]))
        return try read(at: path, stopsAtFirst: stopsAtFirst, in: source) {
          () throws -> JSONNode? in
          switch try walk.next(in: bytes, isLast: true) {
          case .element(let node): node
          case .end: nil
          }
        }
      } catch is WalkStop {
        return nil
      }
    }
    guard let reading else {
      return try elements(
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
        let source = SourceText(bytes, path: path ?? FieldPath([]))
        return try read(at: path, stopsAtFirst: stopsAtFirst, in: source) {
          index += 1
          return array.element(at: index)
        }
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
    at path: FieldPath?, stopsAtFirst: Bool, in source: SourceText,
    element: () throws -> JSONNode?
  ) throws -> ArrayReading<Model> {
    let reader = ElementReader(self, prefix: path ?? FieldPath([]))
    var reading = ArrayReading<Model>()
    var isAtEnd = false
    repeat {
      do {
        try mapping.read(into: &reading.models, from: reader.fields) {
          guard let node = try element() else {
            isAtEnd = true
            return false
          }
          reading.count += 1
          try reader.move(to: node, index: reading.count - 1, in: source)
          return true
        }
      } catch let error as MappingError {
        reading.failures.append(ElementFailure(index: reading.count - 1, error: wanted(error)))
      }
    } while !isAtEnd && !(stopsAtFirst && !reading.failures.isEmpty)
    reading.reports = reader.takeReports()
    return reading
  }

  /// The part of an error that the policy asks for.
  func wanted(_ error: MappingError) -> MappingError {
    errors == .first ? error.errors.first ?? error : error
  }
}

extension ArrayReading {
  fileprivate func located(in text: Data) -> Self {
    guard !failures.isEmpty || !reports.isEmpty else { return self }
    let errors = failures.flatMap(\.error.errors) + reports
    let finder = text.withUnsafeBytes { PositionFinder(of: errors, in: $0) }
    var reading = self
    reading.failures = failures.map {
      ElementFailure(index: $0.index, error: finder.located($0.error))
    }
    reading.reports = reports.map { finder.located($0) }
    return reading
  }
}
