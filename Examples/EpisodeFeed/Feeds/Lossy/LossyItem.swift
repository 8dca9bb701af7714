import Moho

/// An item that was read without the values that are not valid.
struct LossyItem {
  let episode: Episode
  /// A message for each value that was left out.
  let skipped: [String]

  /// Decodes an item. If values are not valid, leaves them out and decodes the
  /// item again. Decoding without errors costs nothing more.
  ///
  /// - Parameters:
  ///   - decode: Decodes the item.
  ///   - leaveOut: Removes the value of an error, or replaces it by a valid one.
  /// - Throws: ``LossyItemError`` if the item lacks a value that it must have, or
  ///   has an invalid one that cannot be left out.
  init(
    _ decode: () throws -> Episode, leaveOut: (MappingError) throws -> SkippedValue?
  ) throws {
    var messages: [String] = []
    while true {
      do {
        episode = try decode()
        skipped = messages
        return
      } catch let error as MappingError {
        var hasChanged = false
        for error in error.errors {
          guard let value = try leaveOut(error) else { continue }
          hasChanged = true
          if value == .skipped { messages.append(error.description) }
        }
        guard hasChanged else {
          throw LossyItemError(
            messages: messages.isEmpty ? error.errors.map(\.description) : messages)
        }
      }
    }
  }
}

/// What happened to a value that is not valid.
enum SkippedValue {
  /// The value was left out.
  case skipped
  /// The value was empty, or its form has a known meaning.
  case understood
}

/// The reasons why an item has no episode.
struct LossyItemError: Error {
  let messages: [String]
}
