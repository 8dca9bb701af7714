import Foundation
import MohoMapping

/// What the elements of an array were read as.
struct ArrayReading<Model> {
  var models: [Model] = []
  var failures: [ElementFailure] = []
  /// The unknown keys that are to be reported.
  var reports: [MappingError] = []
  var count = 0
  /// At how many elements room is made for more models.
  var room = 32

  /// Makes room for as many models as there will be, if the rest of the text is
  /// like what was read, but no more than for some times as many as there are.
  mutating func makeRoom(havingRead part: Double) {
    let all = Double(count) / max(part, 0.01) * 1.05
    room = max(count + count / 2, min(Int(all) + 16, count * 8))
    models.reserveCapacity(room)
  }

  /// The models.
  ///
  /// - Throws: `MappingError` with the errors of all elements that failed.
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

extension ArrayReading {
  func located(in text: Data) -> Self {
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
