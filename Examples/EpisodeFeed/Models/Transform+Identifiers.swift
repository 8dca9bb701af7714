import Moho

extension Transform where Value == String {
  /// The id of a JSON Feed item: text, or a number that is converted to text.
  ///
  /// The format requires this of readers. Writers always write text.
  static let feedID = Transform(
    .string,
    read: { decoder, index in
      let id = try coerced(decoder, index)
      guard !id.isEmpty else {
        throw decoder.error(.invalidValue, at: index, expected: "text that is not empty")
      }
      return id
    },
    write: { id, encoder, index in try encoder.encode(id, at: index) })

  /// The number of an episode, stored as text.
  static let episodeNumber = Transform(
    .string,
    read: { decoder, index in String(try decoder.int64(at: index)) },
    write: { id, encoder, index in
      guard let number = Int64(id), String(number) == id else {
        throw MappingError(.invalidValue, found: "id \"\(id)\"", expected: "episode number")
      }
      try encoder.encode(number, at: index)
    })

  private static func coerced(_ decoder: any FieldDecoder, _ index: Int) throws -> String {
    do {
      return try decoder.string(at: index)
    } catch let error as MappingError where error.code == .invalidType {
      if let integer = try? decoder.int64(at: index) { return String(integer) }
      if let number = try? decoder.double(at: index) { return String(number) }
      throw error
    }
  }
}
