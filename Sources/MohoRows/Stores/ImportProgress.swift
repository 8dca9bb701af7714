/// The progress of saving many models.
///
/// ```swift
/// try await store.write { writer in
///   try writer.save(decoding: fields) { progress in
///     print(progress.fraction ?? 0)
///   }
/// }
/// ```
///
/// The numbers of a call never decrease.
public struct ImportProgress: Sendable, Hashable {
  /// The number of models that have been saved, without nested models.
  public let completedModels: Int

  /// The number of models to save. Nil if it is not known: if the models are a
  /// sequence that is not a collection, or if a document is saved without
  /// decoding it first.
  public let totalModels: Int?

  /// The number of bytes of the document that have been saved. Nil if models are
  /// saved.
  public let completedBytes: Int?

  /// The size of the document. Nil if models are saved.
  public let totalBytes: Int?

  /// Creates a value, for tests of your own code.
  public init(
    completedModels: Int, totalModels: Int? = nil, completedBytes: Int? = nil,
    totalBytes: Int? = nil
  ) {
    self.completedModels = completedModels
    self.totalModels = totalModels
    self.completedBytes = completedBytes
    self.totalBytes = totalBytes
  }

  /// The completed part, from 0 to 1; nil if the total is not known.
  public var fraction: Double? {
    if let totalModels {
      return totalModels > 0 ? Double(completedModels) / Double(totalModels) : 1
    }
    if let completedBytes, let totalBytes {
      return totalBytes > 0 ? Double(completedBytes) / Double(totalBytes) : 1
    }
    return nil
  }

  /// Receives the progress of a call. If it throws, the call ends with the error
  /// and saves nothing.
  public typealias Handler = (ImportProgress) throws -> Void
}

/// Reports the progress of one call that saves models.
///
/// A call can process its models several times. Models that were counted before
/// are not reported again.
package final class ImportMeter {
  /// The number of models between two reports.
  package static let interval = 1_000

  /// The number of models that the next report requires.
  package private(set) var next = ImportMeter.interval

  /// Whether the handler has thrown an error, which ends the call.
  package private(set) var hasFailed = false

  private let handler: ImportProgress.Handler
  private var last: ImportProgress?

  package init(_ handler: @escaping ImportProgress.Handler) { self.handler = handler }

  /// Reports that models have been saved.
  ///
  /// - Parameter bytes: The part of the document that has been saved.
  /// - Returns: The number of models that the next report requires.
  @discardableResult
  package func report(
    _ completedModels: Int, of totalModels: Int?, bytes: (completed: Int, total: Int)? = nil
  ) throws -> Int {
    let progress = ImportProgress(
      completedModels: completedModels, totalModels: totalModels,
      completedBytes: bytes?.completed, totalBytes: bytes?.total)
    if progress != last {
      last = progress
      next = completedModels + Self.interval
      do {
        try handler(progress)
      } catch {
        hasFailed = true
        throw error
      }
    }
    return next
  }
}
