import Foundation
import Moho
import TextTables

extension Feed {
  /// The title of feeds in the screencast format, which has no titles.
  static let screencastTitle = "Screencast"

  /// Reads a feed in any format.
  ///
  /// - Parameters:
  ///   - data: The document in UTF-8.
  ///   - isLossy: Whether to skip invalid items and list them in ``failures``.
  ///     Otherwise, an invalid item is an error.
  /// - Throws: ``FeedError`` if the text is not JSON, is not a feed, has
  ///   invalid items or has no episodes.
  public init(reading data: Data, isLossy: Bool = false) throws {
    let document = try Self.document(data)
    let format = try FeedFormat(of: document)
    do {
      let title = try Self.title(of: document, format)
      let items = try format.adapter.lossyModels(from: document, at: format.itemsPath)
      self.init(title, format: format, episodes: items.models)
      removeDuplicates(indices: items.indices)
      failures = (failures + items.failures.map(ItemFailure.init)).sorted { $0.index < $1.index }
    } catch let error as MappingError {
      throw FeedError(.invalidFeed, "the document is not a valid \(format.name)", error.messages)
    }
    try check(isLossy: isLossy)
  }

  private static func document(_ data: Data) throws -> JSONDocument {
    do {
      return try JSONDocument(parsing: data)
    } catch let error as JSONError {
      let isMarkup = data.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "<")
      throw isMarkup
        ? FeedError(.unknownFormat, "the document begins with \"<\", like RSS or a web page")
        : FeedError(.notJSON, "\(error)")
    }
  }

  private static func title(of document: JSONDocument, _ format: FeedFormat) throws -> String {
    guard format == .jsonFeed else { return screencastTitle }
    return try JSONAdapter(FeedHeader.mapping).model(from: document).title
  }

  private func check(isLossy: Bool) throws {
    let count = episodes.count + failures.count
    if count == 0 { throw FeedError(.emptyFeed, "the feed has no episodes") }
    let messages = failures.flatMap(\.messages)
    if episodes.isEmpty {
      throw FeedError(.invalidFeed, "no item is a valid episode", messages)
    }
    if !isLossy, !failures.isEmpty {
      let verb = failures.count == 1 ? "is" : "are"
      throw FeedError(
        .invalidItems,
        "\(failures.count) of \(count) items \(verb) invalid; nothing was imported", messages)
    }
  }
}

extension Feed {
  /// Moves episodes with the id of an earlier episode to ``failures``.
  ///
  /// - Parameter indices: The positions of the episodes in the document.
  fileprivate mutating func removeDuplicates(indices: [Int]) {
    var firstIndices: [String: Int] = [:]
    var unique: [Episode] = []
    for (episode, index) in zip(episodes, indices) {
      if let firstIndex = firstIndices[episode.id] {
        let message =
          "duplicate id: \(VisibleText.quoted(episode.id)) - `Episode.id` at \(idPath(index).pointer),"
          + " first at \(idPath(firstIndex).pointer)"
        failures.append(ItemFailure(index: index, messages: [message]))
      } else {
        firstIndices[episode.id] = index
        unique.append(episode)
      }
    }
    episodes = unique
  }

  /// The path of an item's id in the document.
  private func idPath(_ index: Int) -> FieldPath {
    let key = format.adapter.mapping.key(for: \Episode.id)?.source
    let steps = [format.adapter.envelope, key].compactMap { $0 }
    return steps.reduce((format.itemsPath ?? FieldPath([])).appending(.index(index))) {
      $0.appending($1)
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
