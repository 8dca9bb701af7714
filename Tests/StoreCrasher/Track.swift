import MohoMapping

/// The model that the crasher saves in batches.
struct Track: MappedModel, Equatable {
  var id: Int
  var batch: Int
  var title: String
  var length: Double?

  static let mapping = Mapping(
    "Track", Track.init,
    .key("id", \.id, .unique),
    .key("batch", \.batch, .indexed),
    .key("title", \.title),
    .key("length", \.length))

  static let countInBatch = 10

  /// The tracks of a batch.
  static func batch(_ number: Int) -> [Track] {
    (0..<countInBatch).map { index in
      Track(
        id: number * countInBatch + index, batch: number, title: "Track \(index) of \(number)",
        length: index % 3 == 0 ? nil : Double(index))
    }
  }
}

/// The tracks of a later version: one key was renamed and indexed, one is
/// required now, one is new, and one has lost its index.
struct LaterTrack: MappedModel, Equatable {
  var id: Int
  var batch: Int
  var name: String
  var length: Double
  var rating: Int

  static let mapping = Mapping(
    "Track", LaterTrack.init,
    .key("id", \.id, .unique),
    .key("batch", \.batch),
    .key("name", \.name, .indexed),
    .key("length", \.length, default: 1.5),
    .key("rating", \.rating, default: 3))
}
