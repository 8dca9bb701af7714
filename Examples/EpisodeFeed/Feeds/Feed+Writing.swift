import Foundation
import Moho

extension Feed {
  /// The feed as a document that reads back as equal episodes.
  ///
  /// The screencast's form has no title, and keeps of an episode only what it
  /// has keys for.
  ///
  /// - Throws: ``FeedError`` of code ``FeedError/Code/notWritable`` where an
  ///   episode does not fit the form: one of the screencast's has a number for
  ///   its id.
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
        : FeedError(.notWritable, "\(messages.count) values do not fit the form", messages)
    } catch let error as JSONError {
      throw FeedError(.notWritable, "\(error)")
    }
  }

  private func document(items: JSONValue) -> JSONValue {
    let header = FeedHeader(title: title)
    return ["version": .string(header.version), "title": .string(header.title), "items": items]
  }
}
