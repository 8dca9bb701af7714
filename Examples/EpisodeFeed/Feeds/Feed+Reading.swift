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
  ///   - isLossy: Whether to leave out invalid values, list them in
  ///     ``skippedValues``, skip items that are still invalid, list them in
  ///     ``failures``, and repair XML that is not well-formed in a known way.
  ///     Otherwise, these are errors.
  ///   - defaultTitle: The title if the feed has none.
  ///   - url: The URL of the document. Relative URLs in XML refer to it.
  ///   - charset: The encoding that the server has sent, if any.
  /// - Throws: ``FeedError`` if the document is compressed, is neither JSON nor
  ///   XML, is not a feed, has invalid items or has no episodes.
  public init(
    reading data: Data, isLossy: Bool = false, defaultTitle: String? = nil, from url: URL? = nil,
    charset: String? = nil
  ) throws {
    if let format = CompressionFormat(of: data) {
      throw FeedError(
        .compressed, "the file is compressed with \(format.rawValue): decompress it first")
    }
    let text = try DocumentText(data, charset: charset)
    let policy = ReadingPolicy(isLossy: isLossy, defaultTitle: defaultTitle)
    let content =
      text.isXML
      ? try FeedContent(xml: text, url, policy)
      : try FeedContent(json: Data(text.bytes), policy)
    self.init(
      content.title, format: content.format, imageURL: content.imageURL,
      episodes: content.episodes, failures: content.failures)
    skippedValues = content.skippedValues
    repairs = content.repairs
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

/// What to do if a document is not as its format demands.
struct ReadingPolicy {
  /// Whether to leave out what is invalid.
  let isLossy: Bool
  /// The title if the feed has none.
  let defaultTitle: String?

  /// Returns a title, or the default if it is empty or missing.
  func title(_ title: () throws -> String) throws -> String {
    do {
      let title = try title()
      return title.allSatisfy(\.isWhitespace) ? defaultTitle ?? title : title
    } catch let error as MappingError {
      guard let defaultTitle else { throw error }
      return defaultTitle
    }
  }
}

/// The contents of a document: its valid items, and the errors of the others.
private struct FeedContent {
  let format: FeedFormat
  let title: String
  /// The picture of the podcast, unless its address is not valid.
  var imageURL: URL?
  var episodes: [Episode] = []
  /// The positions of the episodes in the document.
  var indices: [Int] = []
  var failures: [ItemFailure] = []
  var skippedValues: [ItemFailure] = []
  var repairs: [String] = []

  init(json data: Data, _ policy: ReadingPolicy) throws {
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: data)
    } catch let error as JSONError {
      throw FeedError(.notJSON, "\(error)")
    }
    let format = try FeedFormat(of: document)
    self.format = format
    do {
      title = try policy.title {
        format == .jsonFeed
          ? try JSONAdapter(FeedHeader.mapping).model(from: document).title : Feed.screencastTitle
      }
      guard let adapter = format.adapter else { return }
      imageURL = try? JSONAdapter(FeedPicture.json).model(from: document).url
      let items = try adapter.lossyModels(from: document, at: format.itemsPath)
      episodes = items.models
      indices = items.indices
      for failure in items.failures {
        let path = (format.itemsPath ?? FieldPath([])).appending(.index(failure.index))
        guard policy.isLossy, let item = document.value(at: path) else {
          failures.append(ItemFailure(index: failure.index, failure.error))
          continue
        }
        try add(failure.index) {
          try JSONItemRepair.item(item, with: adapter, at: path, failing: failure.error)
        }
      }
    } catch let error as MappingError {
      throw FeedError(error, in: format)
    }
  }

  init(xml document: DocumentText, _ url: URL?, _ policy: ReadingPolicy) throws {
    var text = try XMLText(document)
    if policy.isLossy {
      (text, repairs) = text.repaired()
      if document.hasForeignBytes {
        repairs.append("repaired: bytes that are not UTF-8 were read as Windows-1252")
      }
    }
    let root = try FeedElementParser.root(of: text, baseURL: url)
    let format = try FeedFormat(of: root)
    self.format = format
    let places = XMLFeedElements(root, format)
    do {
      title = try policy.title {
        try XMLTitle.mapping.model(
          from: XMLFieldDecoder(
            places.channel, XMLTitle.mapping.fieldKeys, at: places.channelPath, in: text)
        ).title
      }
    } catch let error as MappingError {
      throw FeedError(error, in: format)
    }
    imageURL =
      try? FeedPicture.xml.model(
        from: XMLFieldDecoder(
          places.channel, FeedPicture.xml.fieldKeys, at: places.channelPath, in: text)
      ).url
    let mapping = format.mapping
    ItemIdentity.complete(
      places.items, name: format == .rss ? "guid" : "id",
      link: format == .rss ? "link" : "link(alternate)")
    for (index, item) in places.items.enumerated() {
      let path = places.itemsPath.appending(.index(index))
      let decoder = XMLFieldDecoder(item, mapping.fieldKeys, at: path, in: text)
      try add(index) {
        try LossyItem {
          try mapping.model(from: decoder)
        } leaveOut: { error in
          policy.isLossy && decoder.leaveOut(error) ? .skipped : nil
        }
      }
    }
  }

  /// Adds an item or its failure.
  private mutating func add(_ index: Int, _ item: () throws -> LossyItem) throws {
    do {
      let item = try item()
      let isLast = indices.last.map { $0 < index } ?? true
      let position = isLast ? indices.count : indices.firstIndex { $0 > index } ?? indices.count
      episodes.insert(item.episode, at: position)
      indices.insert(index, at: position)
      if !item.skipped.isEmpty {
        skippedValues.append(ItemFailure(index: index, messages: item.skipped))
      }
    } catch let error as LossyItemError {
      failures.append(ItemFailure(index: index, messages: error.messages))
    }
  }
}

/// The elements of a document that a feed consists of, and their paths.
private struct XMLFeedElements {
  let channel: FeedElement
  let channelPath: FieldPath
  let items: [FeedElement]
  let itemsPath: FieldPath

  init(_ root: FeedElement, _ format: FeedFormat) {
    let names = format.itemsPath?.components ?? []
    guard format == .rss else {
      (channel, channelPath) = (root, FieldPath(Array(names.prefix(1))))
      (items, itemsPath) = (root.children.filter { $0.name == "entry" }, FieldPath(names))
      return
    }
    let found = root.children.first { $0.name == "channel" }
    channel = found ?? FeedElement("channel", offset: root.offset)
    let rootPath = FieldPath([.key(root.name)])
    channelPath = rootPath.appending(.key("channel"))
    // The items of RSS 0.90 and 1.0 are not in the channel.
    let inner = channel.children.filter { $0.name == "item" }
    items = inner.isEmpty ? root.children.filter { $0.name == "item" } : inner
    itemsPath =
      root.name == "rss" && (!inner.isEmpty || items.isEmpty)
      ? FieldPath(names) : rootPath.appending(.key("item"))
  }
}

/// The keys of an XML feed other than its items.
private struct XMLTitle {
  var title: String

  static let mapping = Mapping(
    "Feed", XMLTitle.init,
    .key(
      "title", \.title, alternatives: ["itunes:title", "dc:title", "media:title", "atom:title"]))
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
