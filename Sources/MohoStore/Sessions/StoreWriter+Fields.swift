import GRDB
public import MohoMapping

extension StoreWriter {
  /// Saves what models are made of, such as the elements of a JSON text.
  ///
  /// ```swift
  /// try store.write { try $0.save(rowsFrom: adapter.fields(from: data)) }
  /// ```
  ///
  /// It does what ``save(_:mode:)`` does with the models, and
  /// throws what making and saving them throws. Values go into the rows without
  /// models, one object at a time, unless the model has a say:
  ///
  /// - Models are made, all of them, where their mapping validates or repairs,
  ///   merges, relates, inlines or chooses, takes unknown members, or has computed
  ///   properties; where `mode` is other than ``SaveMode/save``; and where reading
  ///   or saving fails, to say why. Then transforms run again. So they do where
  ///   unequal objects have one unique key.
  /// - A function that makes models and changes the values that it is given is
  ///   looked for at the first eight objects, and at ever fewer behind them. Where
  ///   a model of them has other values, models are made of all. A function that
  ///   changes values more rarely than that must be a repair instead.
  ///
  /// - Parameters:
  ///   - fields: What the models are made of.
  ///   - mode: Whether rows that are not among the models are deleted.
  /// - Throws: What making the models throws, and as
  ///   ``save(_:mode:)``. Nothing is saved then.
  @discardableResult
  public func save<Model: MappedModel>(
    rowsFrom fields: UndecodedModels<Model>, mode: SaveMode<Model> = .save
  ) throws -> SaveReport {
    let recorder = try WriteRecorder.known(of: session.database)
    let unwritten = recorder?.unwrittenTables ?? []
    do {
      if case .save = mode, let report = try reader.perform({ try copy(fields, $0) }) {
        return report
      }
    } catch is RepeatedRow {
      recorder?.forgetWrites(to: unwritten)
      return try settle(fields.models(), mode, isRepeating: true)
    }
    return try save(fields.models(), mode: mode)
  }

  /// Saves objects without models of them.
  ///
  /// - Returns: Nil where nothing is saved, and models are to be made.
  private func copy<Model: MappedModel>(
    _ fields: UndecodedModels<Model>, _ database: Database
  ) throws -> SaveReport? {
    let mapping = Model.mapping
    guard !mapping.isSavedInGraphs, mapping.issues.isEmpty else { return nil }
    let writer = try ModelWriter<Model>(
      database, session.schema.entity(of: Model.self), log: SavedRowLog())
    guard writer.copiesFields else { return nil }
    var report = SaveReport()
    var count = 0
    do {
      return try withSavepoint(database) {
        let isDone = try fields.forEach { fields in
          try writer.take(fields)
          // The first eight, and then each behind twice as many.
          guard count < 8 || count & (count - 1) == 0 else { return }
          guard try mapping.copiesAsWritten(from: fields) else { throw ModelsNeeded() }
        } _: {
          report.count(try writer.saveTaken())
          count += 1
        }
        guard isDone else { throw ModelsNeeded() }
        return report
      }
    } catch let error as RepeatedRow {
      throw error
    } catch {
      // An error may have ended the whole transaction.
      guard database.isInsideTransaction else { throw error }
      return nil
    }
  }
}

/// Thrown where fields cannot be saved without models of them.
private struct ModelsNeeded: Error {}
