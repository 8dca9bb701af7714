import Foundation
import Moho

extension Feed {
  /// The title of feeds whose form has none.
  static let untitled = "Screencast"

  /// Reads a feed of either form.
  ///
  /// - Parameters:
  ///   - data: The document, in UTF-8.
  ///   - isLossy: Whether items that are no episodes are left out and listed in
  ///     ``failures``. If not, one of them refuses the feed.
  /// - Throws: ``FeedError`` where the text is not JSON, is no feed, holds bad
  ///   items or no episodes at all.
  public init(reading data: Data, isLossy: Bool = false) throws {
    let document = try Self.document(data)
    let format = try FeedFormat(of: document)
    do {
      let title = try Self.title(of: document, format)
      let items = try format.adapter.lossyModels(from: document, at: format.items)
      self.init(title, format: format, episodes: items.models)
      removeDuplicates(indices: items.indices)
      failures = (failures + items.failures.map(ItemFailure.init)).sorted { $0.index < $1.index }
    } catch let error as MappingError {
      throw FeedError(.invalidFeed, "it does not have the form of \(format.name)", error.messages)
    }
    try check(isLossy: isLossy)
  }

  private static func document(_ data: Data) throws -> JSONDocument {
    do {
      return try JSONDocument(parsing: data)
    } catch let error as JSONError {
      let isMarkup = data.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "<")
      throw isMarkup
        ? FeedError(.unknownFormat, "it begins with \"<\", as RSS and web pages do")
        : FeedError(.notJSON, "\(error)")
    }
  }

  private static func title(of document: JSONDocument, _ format: FeedFormat) throws -> String {
    guard format == .jsonFeed else { return untitled }
    return try JSONAdapter(FeedHeader.mapping).model(from: document).title
  }

  private func check(isLossy: Bool) throws {
    let count = episodes.count + failures.count
    if count == 0 { throw FeedError(.emptyFeed, "it has no episodes") }
    let messages = failures.flatMap(\.messages)
    if episodes.isEmpty {
      throw FeedError(.invalidFeed, "none of its items is a valid episode", messages)
    }
    if !isLossy, !failures.isEmpty {
      let verb = failures.count == 1 ? "is" : "are"
      throw FeedError(
        .invalidItems,
        "\(failures.count) of \(count) items \(verb) invalid; nothing was imported", messages)
    }
  }
}

extension ItemFailure {
  fileprivate init(_ failure: ElementFailure) {
    self.init(index: failure.index, messages: failure.error.messages)
  }
}

extension MappingError {
  fileprivate var messages: [String] { errors.map(\.description) }
}
