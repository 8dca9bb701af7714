import GRDB
import MohoMapping
import MohoRows

extension SQLiteSession {
  func save<Model: MappedModel>(
    decoding fields: UndecodedModels<Model>, mode: SaveMode<Model>
  ) throws -> SaveReport {
    do {
      if case .save = mode, let report = try perform({ try copy(fields, $0) }) {
        return report
      }
    } catch is RepeatedRow {
      return try settle(fields.models(), mode, isRepeating: true)
    }
    return try save(fields.models(), mode: mode)
  }

  /// Copies the fields of objects to rows, without creating models.
  ///
  /// - Returns: Nil, with nothing saved, if models must be created.
  private func copy<Model: MappedModel>(
    _ fields: UndecodedModels<Model>, _ database: Database
  ) throws -> SaveReport? {
    let mapping = Model.mapping
    guard !mapping.isSavedInGraphs, mapping.issues.isEmpty else { return nil }
    let writer = try ModelWriter<Model>(
      database, schema, log: SavedRowLog())
    guard writer.copiesFields else { return nil }
    var report = SaveReport()
    var count = 0
    do {
      return try withSavepoint(database) { _ in
        let isDone = try fields.forEach { fields in
          try writer.bind(fields)
          // Check the first eight objects, and then the objects at powers of
          // two.
          guard count < 8 || count & (count - 1) == 0 else { return }
          guard try mapping.copiesAsWritten(from: fields) else { throw ModelsNeeded() }
        } _: {
          report.count(try writer.saveBoundFields())
          count += 1
        }
        guard isDone else { throw ModelsNeeded() }
        return report
      }
    } catch let error as RepeatedRow {
      throw error
    } catch {
      // The error may have rolled back the whole transaction.
      guard database.isInsideTransaction else { throw error }
      return nil
    }
  }
}

/// An error for fields that cannot be saved without creating models.
private struct ModelsNeeded: Error {}
