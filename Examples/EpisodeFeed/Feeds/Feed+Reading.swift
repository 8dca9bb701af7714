import Foundation
import Moho
import TextTables

extension Feed {
  /// The title of feeds in the screencast format, which has no titles.
  static let screencastTitle = "Screencast"

  /// Reads a feed in any format.
  ///
  /// - Parameters:
  ///   - data: The document, JSON or XML in any encoding that its first bytes, the
  ///     server or its declaration names.
  ///   - isLossy: Whether to skip invalid items and list them in ``failures``.
  ///     Otherwise, an invalid item is an error.
  ///   - url: The URL of the document. Relative URLs in XML refer to it.
  ///   - charset: The encoding that the server has sent, if any.
  /// - Throws: ``FeedError`` if the text is neither JSON nor XML, is not a feed,
  ///   has invalid items or has no episodes.
  public init(
    reading data: Data, isLossy: Bool = false, from url: URL? = nil, charset: String? = nil
  ) throws {
    let text = try DocumentText(data, charset: charset)
    let content =
      text.isXML ? try FeedContent(xml: text, url) : try FeedContent(json: Data(text.bytes))
    self.init(
      content.title, format: content.format, episodes: content.episodes,
      failures: content.failures)
    removeDuplicates(indices: content.indices)
    failures.sort { $0.index < $1.index }
    try check(isLossy: isLossy)
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
    let key = format.mapping.key(for: \Episode.id)?.source
    let steps = [format.envelope, key].compactMap { $0 }
    return steps.reduce((format.itemsPath ?? FieldPath([])).appending(.index(index))) {
      $0.appending($1)
    }
  }
}

/// The contents of a document: its valid items, and the errors of the others.
private struct FeedContent {
  let format: FeedFormat
  let title: String
  var episodes: [Episode] = []
  /// The positions of the episodes in the document.
  var indices: [Int] = []
  var failures: [ItemFailure] = []

  init(json data: Data) throws {
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: data)
    } catch let error as JSONError {
      throw FeedError(.notJSON, "\(error)")
    }
    let format = try FeedFormat(of: document)
    self.format = format
    do {
      title =
        format == .jsonFeed
        ? try JSONAdapter(FeedHeader.mapping).model(from: document).title : Feed.screencastTitle
      guard let items = try format.adapter?.lossyModels(from: document, at: format.itemsPath)
      else { return }
      episodes = items.models
      indices = items.indices
      failures = items.failures.map { ItemFailure(index: $0.index, $0.error) }
    } catch let error as MappingError {
      throw FeedError(error, in: format)
    }
  }

  init(xml document: DocumentText, _ url: URL?) throws {
    let text = try XMLText(document)
    let root = try FeedElementParser.root(of: text, baseURL: url)
    let format = try FeedFormat(of: root)
    self.format = format
    // RSS has a channel, whose path is that of the items without their name.
    let names = format.itemsPath?.components ?? []
    var (channel, path) = (root, FieldPath(Array(names.prefix(1))))
    if format == .rss {
      path = FieldPath(Array(names.prefix(2)))
      channel =
        root.children.first { $0.name == "channel" }
        ?? FeedElement("channel", offset: root.offset)
    }
    do {
      title = try XMLTitle.mapping.model(
        from: XMLFieldDecoder(channel, XMLTitle.mapping.mappingKeys, at: path, in: text)
      ).title
    } catch let error as MappingError {
      throw FeedError(error, in: format)
    }
    let mapping = format.mapping
    let items = channel.children.filter { .key($0.name) == names.last }
    for (index, item) in items.enumerated() {
      let path = FieldPath(names + [.index(index)])
      do {
        let decoder = XMLFieldDecoder(item, mapping.mappingKeys, at: path, in: text)
        episodes.append(try mapping.model(from: decoder))
        indices.append(index)
      } catch let error as MappingError {
        failures.append(ItemFailure(index: index, error))
      }
    }
  }
}

/// The keys of an XML feed other than its items.
private struct XMLTitle {
  var title: String

  static let mapping = Mapping("Feed", XMLTitle.init, .key("title", \.title))
}

extension ItemFailure {
  fileprivate init(index: Int, _ error: MappingError) {
    self.init(index: index, messages: error.errors.map(\.description))
  }
}

extension FeedError {
  fileprivate init(_ error: MappingError, in format: FeedFormat) {
    self.init(
      .invalidFeed, "the document is not a valid \(format.name)",
      error.errors.map(\.description))
  }
}
