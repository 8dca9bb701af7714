import GRDB
import MohoMapping
import MohoRows

extension SQLiteSession {
  func save<Model: MappedModel>(
    decoding fields: UndecodedModels<Model>, mode: SaveMode<Model>, _ meter: ImportMeter?
  ) throws -> SaveReport {
    do {
      if case .save = mode, let report = try perform({ try copy(fields, $0, meter) }) {
        return report
      }
    } catch is RepeatedRow {
      return try saveOnce(fields.models(), mode, meter, isRepeating: true)
    }
    return try save(fields.models(), mode: mode, meter)
  }

  /// Copies the fields of objects to rows, without creating models.
  ///
  /// - Returns: Nil, with nothing saved, if models must be created.
  private func copy<Model: MappedModel>(
    _ fields: UndecodedModels<Model>, _ database: Database, _ meter: ImportMeter?
  ) throws -> SaveReport? {
    let mapping = Model.mapping
    guard !mapping.isSavedInGraphs, mapping.issues.isEmpty else { return nil }
    let writer = try ModelWriter<Model>(
      database, schema, log: SavedRowLog())
    guard writer.copiesFields else { return nil }
    var report = SaveReport()
    var count = 0
    var next = meter?.next ?? .max
    do {
      return try withSavepoint(database) { _ in
        try withPostponedIndexing(database) {
          let isDone = try fields.forEach { fields in
            try writer.bind(fields)
            // Check the first eight objects, and then the objects at powers of
            // two.
            guard count < 8 || count & (count - 1) == 0 else { return }
            guard try mapping.copiesAsWritten(from: fields) else { throw ModelsNeeded() }
          } _: { end in
            report.count(try writer.saveBoundFields())
            count += 1
            guard let meter, count >= next else { return }
            next = try meter.report(count, of: nil, bytes: (end, fields.byteCount))
          }
          guard isDone else { throw ModelsNeeded() }
          try meter?.report(count, of: count, bytes: (fields.byteCount, fields.byteCount))
          return report
        }
      }
    } catch let error as RepeatedRow {
      throw error
    } catch {
      // Creating the models would not find another error.
      if error is CancellationError || meter?.hasFailed == true { throw error }
      // The error may have rolled back the whole transaction.
      guard database.isInsideTransaction else { throw error }
      return nil
    }
  }
}

/// An error for fields that cannot be saved without creating models.
private struct ModelsNeeded: Error {}
