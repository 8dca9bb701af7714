import MohoMapping

/// Models that were read together. The cache stores them as an object to hide
/// their type.
final class ModelBatch<Model: MappedModel>: Sendable {
  let models: [Model]

  init(_ models: [Model]) { self.models = models }
}

/// A model of a batch.
struct CachedModel: Sendable {
  let batch: any AnyObject & Sendable
  let offset: Int

  /// Returns the model, or `nil` if it has a different type.
  func model<Model>(as type: Model.Type) -> Model? where Model: MappedModel {
    (batch as? ModelBatch<Model>)?.models[offset]
  }
}

/// A cache of models. Models are identified by their rows, and by the
/// generations in which the row had the model's content.
///
/// The cache stores and evicts whole batches, in the order in which they were
/// read.
struct ModelCache: Sendable {
  private struct Entry {
    let model: CachedModel
    var first: Int
    /// The last generation with this content, or `nil` if the row has not
    /// changed since.
    var last: Int?

    func belongs(to generation: Int) -> Bool {
      first <= generation && generation <= last ?? .max
    }
  }

  private struct Batch {
    let object: any AnyObject & Sendable
    let rowIDs: [Int64]
  }

  /// The maximum number of models.
  var capacity: Int
  /// The newest entry of each row.
  private var newest: [Int64: Entry] = [:]
  /// The earlier entries of rows.
  private var former: [Int64: [Entry]] = [:]
  private var batches: [Batch] = []
  private var count = 0

  init(capacity: Int) { self.capacity = capacity }

  func contains(_ rowID: Int64) -> Bool { newest[rowID] != nil || former[rowID] != nil }

  /// Returns the model of a row in a state.
  func model(of rowID: Int64, in generation: Int) -> CachedModel? {
    if let entry = newest[rowID], entry.belongs(to: generation) { return entry.model }
    return former[rowID]?.first { $0.belongs(to: generation) }?.model
  }

  /// Stores a batch.
  ///
  /// - Parameter isCurrent: For each model, whether its row had this content in
  ///   the given state and still has it. Other models are not stored.
  mutating func insert(
    _ object: any AnyObject & Sendable, of rowIDs: [Int64], in generation: Int,
    where isCurrent: [Bool]
  ) {
    // A larger batch would evict all other batches and still exceed the
    // capacity.
    guard rowIDs.count <= capacity, isCurrent.contains(true) else { return }
    for (offset, rowID) in rowIDs.enumerated() where isCurrent[offset] {
      var entry = Entry(model: CachedModel(batch: object, offset: offset), first: generation)
      if let known = newest.updateValue(entry, forKey: rowID) {
        if known.last == nil {
          entry.first = min(known.first, generation)
          newest[rowID] = entry
        } else {
          former[rowID, default: []].append(known)
        }
      }
    }
    batches.append(Batch(object: object, rowIDs: rowIDs))
    count += rowIDs.count
    var surplus = 0
    while count > capacity {
      evict(batches[surplus])
      surplus += 1
    }
    batches.removeFirst(surplus)
  }

  /// Records that rows changed in a generation.
  mutating func close(_ rowIDs: some Sequence<Int64>, at generation: Int) {
    if newest.isEmpty { return }
    for rowID in rowIDs where newest[rowID]?.last == nil { newest[rowID]?.last = generation - 1 }
  }

  /// Records that any row may have changed in a generation.
  mutating func closeAll(at generation: Int) { close(Array(newest.keys), at: generation) }

  private mutating func evict(_ batch: Batch) {
    count -= batch.rowIDs.count
    for rowID in batch.rowIDs {
      if newest[rowID]?.model.batch === batch.object { newest[rowID] = nil }
      guard let entries = former[rowID] else { continue }
      let rest = entries.filter { $0.model.batch !== batch.object }
      former[rowID] = rest.isEmpty ? nil : rest
    }
  }
}
