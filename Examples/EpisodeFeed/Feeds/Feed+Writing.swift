import Foundation
import Moho

extension Feed {
  /// The feed as a document. Reading it gives equal episodes, except that the
  /// screencast format has no feed title and fewer keys.
  ///
  /// - Throws: ``FeedError`` of code ``FeedError/Code/notWritable`` if the
  ///   format cannot represent an episode, or is not one of
  ///   ``FeedFormat/writable``. The screencast format requires ids that are
  ///   integers.
  public func data(_ format: FeedFormat, formatting: JSONFormatting = .pretty) throws -> Data {
    do {
      guard let adapter = format.adapter else {
        throw FeedError(.notWritable, "feeds cannot be written as \(format.name)")
      }
      guard format == .jsonFeed else {
        return try adapter.data(from: episodes, formatting: formatting)
      }
      return try document(items: adapter.value(from: episodes)).data(formatting: formatting)
    } catch let error as MappingError {
      let messages = error.errors.map(\.description)
      throw messages.count == 1
        ? FeedError(.notWritable, messages[0])
        : FeedError(
          .notWritable, "the format cannot represent \(messages.count) values", messages)
    } catch let error as JSONError {
      throw FeedError(.notWritable, "\(error)")
    }
  }

  private func document(items: JSONValue) -> JSONValue {
    let header = FeedHeader(title: title)
    return ["version": .string(header.version), "title": .string(header.title), "items": items]
  }
}
