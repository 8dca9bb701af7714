import Foundation

/// What is decoded and encoded, made when it is first asked for.
final class FeedInput {
  let count: Int
  lazy var models = (0..<count).map { FeedEpisode(number: $0) }
  lazy var codables = (0..<count).map { CodableEpisode(FeedEpisode(number: $0)) }

  /// An array of the episodes as JSON, written to a file once: processes that
  /// measure memory must not have made it.
  lazy var data: Data = {
    if let data = try? Data(contentsOf: file) { return data }
    // The keys of all objects are in one order, as servers write them, but not in
    // that of the mapping. Foundation would have another order for each object.
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
