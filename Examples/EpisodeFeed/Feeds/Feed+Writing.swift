import Foundation
import Moho

extension Feed {
  /// The feed as a document. Reading it gives equal episodes, except that the
  /// screencast format has no feed title and fewer keys.
  ///
  /// - Throws: ``FeedError`` of code ``FeedError/Code/notWritable`` if the
  ///   format cannot represent an episode. The screencast format requires ids
  ///   that are integers.
  public func data(_ format: FeedFormat, formatting: JSONFormatting = .pretty) throws -> Data {
    do {
      switch format {
      case .screencast:
        return try format.adapter.data(from: episodes, formatting: formatting)
      case .jsonFeed:
        return try document(items: format.adapter.value(from: episodes))
          .data(formatting: formatting)
      }
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
