import MohoMapping

/// The decoded elements of an array.
struct ElementResults<Model> {
  var models: [Model] = []
  var failures: [ElementFailure] = []
  /// The unknown keys to report.
  var reports: [MappingError] = []
  /// The number of elements.
  var count = 0
  private(set) var capacity = 32

  /// Reserves capacity for the estimated number of models, but at most eight times
  /// the current one.
  ///
  /// - Parameter part: The part of the text that was read.
  mutating func reserveCapacity(afterReading part: Double) {
    let estimate = Double(count) / max(part, 0.01) * 1.05
    capacity = max(count + count / 2, min(Int(estimate) + 16, count * 8))
    models.reserveCapacity(capacity)
  }

  /// The models.
  ///
  /// - Throws: `MappingError` with the errors of all elements that failed.
  var allModels: [Model] {
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
