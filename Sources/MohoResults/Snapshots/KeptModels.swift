/// Models by their rows and the generations in which rows held them.
///
/// Whole batches are kept and let go of, those first that were read first.
struct KeptModels: Sendable {
  private struct Entry {
    let model: KeptModel
    var first: Int
    /// The last generation, or nil while the row has not changed.
    var last: Int?

    func belongs(to generation: Int) -> Bool {
      first <= generation && generation <= last ?? .max
    }
  }

  private struct Batch {
    let object: any AnyObject & Sendable
    let rowIDs: [Int64]
  }

  private let capacity: Int
  /// What rows hold, or held last.
  private var newest: [Int64: Entry] = [:]
  /// What rows held before that.
  private var former: [Int64: [Entry]] = [:]
  private var batches: [Batch] = []
  private var count = 0

  /// - Parameter capacity: For how many rows models are kept.
  init(capacity: Int) { self.capacity = capacity }

  /// Whether models of a row are kept.
  func contains(_ rowID: Int64) -> Bool { newest[rowID] != nil || former[rowID] != nil }

  /// The model that a row held in a state.
  func model(of rowID: Int64, in generation: Int) -> KeptModel? {
    if let entry = newest[rowID], entry.belongs(to: generation) { return entry.model }
    return former[rowID]?.first { $0.belongs(to: generation) }?.model
  }

  /// Keeps those models of a batch that their rows hold, and held in a state.
  mutating func keep(
    _ object: any AnyObject & Sendable, of rowIDs: [Int64], in generation: Int,
    where areKept: [Bool]
  ) {
    // It would take the place of all others, and be of more rows than fit.
    guard rowIDs.count <= capacity, areKept.contains(true) else { return }
    for (offset, rowID) in rowIDs.enumerated() where areKept[offset] {
      var entry = Entry(model: KeptModel(batch: object, offset: offset), first: generation)
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
      letGo(batches[surplus])
      surplus += 1
    }
    batches.removeFirst(surplus)
  }

  /// Ends the time of the models of rows.
  mutating func close(_ rowIDs: some Sequence<Int64>, at generation: Int) {
    if newest.isEmpty { return }
    for rowID in rowIDs where newest[rowID]?.last == nil { newest[rowID]?.last = generation - 1 }
  }

  /// Ends the time of all models.
  mutating func closeAll(at generation: Int) { close(Array(newest.keys), at: generation) }

  private mutating func letGo(_ batch: Batch) {
    count -= batch.rowIDs.count
    for rowID in batch.rowIDs {
      if newest[rowID]?.model.batch === batch.object { newest[rowID] = nil }
      guard let entries = former[rowID] else { continue }
      let rest = entries.filter { $0.model.batch !== batch.object }
      former[rowID] = rest.isEmpty ? nil : rest
    }
  }
}
