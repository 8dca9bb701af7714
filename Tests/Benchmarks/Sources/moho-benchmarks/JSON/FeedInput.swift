import Foundation

/// The input of the JSON workloads, created on first access.
final class FeedInput {
  let count: Int
  lazy var models = (0..<count).map { FeedEpisode(number: $0) }
  lazy var codables = (0..<count).map { CodableEpisode(FeedEpisode(number: $0)) }

  /// The episodes as a JSON array. The array is written to a file once, because
  /// the creation would distort the peak memory of a process.
  lazy var data: Data = {
    if let data = try? Data(contentsOf: file) { return data }
    // All objects have the same order of keys, as from a server, but not that
    // of the mapping. Without `sortedKeys`, Foundation writes a different order
    // for each object.
    let encoder = Self.encoder
    encoder.outputFormatting.insert(.sortedKeys)
    var data = Data("[".utf8)
    for number in 0..<count {
      if number > 0 { data.append(UInt8(ascii: ",")) }
      let line = (try? encoder.encode(CodableEpisode(FeedEpisode(number: number)))) ?? Data()
      data.append(line)
    }
    data.append(UInt8(ascii: "]"))
    try? data.write(to: file)
    return data
  }()

  let file: URL

  init(count: Int, folder: URL) {
    self.count = count
    file = folder.appending(path: "episodes-\(count).json")
  }

  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = .withoutEscapingSlashes
    return encoder
  }

  static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }
}
