import Campaigns
import MohoMapping
import MohoRows
import MohoTesting
import StoreTesting
import Testing

/// Compares stores of models that several keys identify with dictionaries.
@Suite(.allEngines) struct RandomIdentityTests {
  private static let seeds = Campaign.seeds(
    from: "MOHO_RANDOM_SEED", count: Campaign.count(short: 4, full: 100))

  /// The key of a pair, with texts as bytes. Zero and negative zero are equal.
  private struct PairKey: Hashable {
    let first: [UInt8]
    let second: [UInt8]
    let number: Double

    init?(_ pair: IdentityPair) {
      guard let number = pair.number else { return nil }
      (first, second) = (Array(pair.first.utf8), Array(pair.second.utf8))
      self.number = number
    }
  }

  private static func pair(_ random: inout SeededGenerator) -> IdentityPair {
    IdentityPair(
      first: random.one(of: ["", "a", "ab", "\u{E9}", "e\u{301}"]),
      second: random.one(of: ["bc", "c", "", "\u{301}"]),
      number: random.one(of: [0, -0.0, 1, 1, nil]), title: "\(random.below(4))")
  }

  @Test(arguments: seeds)
  func pairsAreThoseOfADictionary(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try emptyStore(IdentityPair.self)
    var titles: [PairKey: String] = [:]
    var nameless: [String] = []
    for step in 0..<60 {
      let pairs = (0...random.below(6)).map { _ in Self.pair(&random) }
      let comment = Comment(rawValue: "seed \(seed), step \(step)")
      switch random.below(5) {
      case 0, 1:
        let known = Set(titles.keys)
        let report = try store.write { try $0.save(pairs) }
        for pair in pairs {
          if let key = PairKey(pair) {
            titles[key] = pair.title
          } else {
            nameless.append(pair.title)
          }
        }
        let new = Set(pairs.compactMap { PairKey($0) }).subtracting(known).count
        #expect(report.inserted == new + pairs.count { $0.number == nil }, comment)
        #expect(try store.write { try $0.save(pairs.filter { $0.number != nil }) }.updated == 0)
      case 2:
        let deleted = try store.write { try $0.delete(pairs) }
        let keys = Set(pairs.compactMap { PairKey($0) })
        #expect(deleted == keys.count { titles.removeValue(forKey: $0) != nil }, comment)
      case 3:
        let partials = pairs.map { Partial($0) }
        let report = try store.write { try $0.update(partials) }
        var missing = 0
        for pair in pairs {
          if let key = PairKey(pair), titles[key] != nil {
            titles[key] = pair.title
          } else {
            missing += 1
          }
        }
        #expect(report.missing == missing, comment)
      default:
        let context = EditingContext(store)
        try ManagedRowAdapter<IdentityPair>().rows(from: pairs, in: context)
        try context.save()
        for pair in pairs {
          if let key = PairKey(pair) {
            titles[key] = pair.title
          } else {
            nameless.append(pair.title)
          }
        }
      }
      var found: [PairKey: String] = [:]
      var foundNameless: [String] = []
      for pair in try store.fetch(ModelRequest<IdentityPair>()) {
        if let key = PairKey(pair) {
          try #require(found.updateValue(pair.title, forKey: key) == nil, comment)
        } else {
          foundNameless.append(pair.title)
        }
      }
      try #require(found == titles, comment)
      try #require(foundNameless.sorted() == nameless.sorted(), comment)
    }
  }

  private struct Content: Equatable {
    struct ItemKey: Hashable {
      let url: String
      let guid: String
    }

    var feeds: [String: String] = [:]
    var items: [ItemKey: String] = [:]
    var parts: [ItemKey: [Double: String]] = [:]

    mutating func save(_ feed: IdentityFeed) {
      feeds[feed.url] = feed.title
      let kept = Set(feed.items.map { ItemKey(url: feed.url, guid: $0.guid) })
      for key in items.keys where key.url == feed.url && !kept.contains(key) { delete(key) }
      for item in feed.items { items[ItemKey(url: feed.url, guid: item.guid)] = item.title }
    }

    mutating func delete(_ key: ItemKey) {
      items[key] = nil
      parts[key] = nil
    }

    mutating func delete(feed url: String) {
      feeds[url] = nil
      for key in items.keys where key.url == url { delete(key) }
    }
  }

  private static func feed(_ random: inout SeededGenerator) -> IdentityFeed {
    var guids = Set((0...random.below(4)).map { _ in random.one(of: ["", "a", "ba", "b"]) })
    guids.remove("b")
    return IdentityFeed(
      url: random.one(of: ["f", "fb", "g"]), title: "\(random.below(3))",
      items: guids.sorted().map { IdentityItem(guid: $0, title: "\(random.below(3))") })
  }

  @Test(arguments: seeds)
  func relatedModelsAreThoseOfDictionaries(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 1_000)
    let store = try emptyStore(IdentityFeed.self, IdentityPart.self)
    var content = Content()
    func prune(_ kept: Content, _ writer: StoreWriter) throws {
      // A part requires its item.
      for part in try writer.reader.fetch(ModelRequest<IdentityPart>()) {
        if case .array(let key) = part.item.key, case .string(let url) = key[0],
          case .string(let guid) = key[1],
          kept.items[Content.ItemKey(url: url, guid: guid)] == nil
        {
          try writer.delete([part])
        }
      }
    }
    for step in 0..<60 {
      let comment = Comment(rawValue: "seed \(seed), step \(step)")
      let usesContext = random.oneIn(2)
      var next = content
      switch random.below(6) {
      case 0, 1:
        // A part is deleted with its item, even if a later feed adds the item again.
        var urls: Set<String> = []
        let feeds = (0...random.below(2)).map { _ in Self.feed(&random) }
          .filter { urls.insert($0.url).inserted }
        for feed in feeds { next.save(feed) }
        try store.write { writer in
          try prune(next, writer)
          if !usesContext { try writer.save(feeds) }
        }
        if usesContext {
          let context = EditingContext(store)
          for feed in feeds {
            try ManagedRowAdapter<IdentityFeed>().row(from: feed, in: context)
          }
          try context.save()
        }
      case 2:
        guard let url = content.feeds.keys.sorted().randomElement(using: &random) else { continue }
        let items = (0...random.below(3)).map { _ in
          IdentityItem(
            feed: try! ModelReference(key: url), guid: random.one(of: ["", "a", "b", "ba"]),
            title: "\(random.below(3))")
        }
        for item in items { next.items[.init(url: url, guid: item.guid)] = item.title }
        if usesContext {
          let context = EditingContext(store)
          try ManagedRowAdapter<IdentityItem>().rows(from: items, in: context)
          try context.save()
        } else {
          try store.write { try $0.save(items) }
        }
      case 3:
        guard
          let key = content.items.keys.sorted(by: { ($0.url, $0.guid) < ($1.url, $1.guid) })
            .randomElement(using: &random)
        else { continue }
        let part = IdentityPart(
          item: try ModelReference(key: key.url, key.guid), number: random.one(of: [0, -0.0, 2]),
          title: "\(random.below(3))")
        next.parts[key, default: [:]][part.number] = part.title
        if usesContext {
          let context = EditingContext(store)
          try ManagedRowAdapter<IdentityPart>().row(from: part, in: context)
          try context.save()
        } else {
          try store.write { try $0.save([part]) }
        }
      case 4:
        guard let url = content.feeds.keys.sorted().randomElement(using: &random) else { continue }
        next.delete(feed: url)
        try store.write { writer in
          try prune(next, writer)
          #expect(try writer.delete([IdentityFeed(url: url)]) == 1, comment)
        }
      default:
        let key = Content.ItemKey(
          url: random.one(of: ["f", "fb", "g"]), guid: random.one(of: ["", "a", "ba"]))
        var change = Partial<IdentityItem>()
        change[\.feed] = try ModelReference(key: key.url)
        change[\.guid] = key.guid
        change[\.title] = "changed"
        let isStored = content.items[key] != nil
        if isStored { next.items[key] = "changed" }
        let report = try store.write { try $0.update([change]) }
        #expect(report.missing == (isStored ? 0 : 1), comment)
      }
      content = next
      let stored = try Self.stored(in: store)
      try #require(stored == content, comment)
    }
  }

  private static func stored(in store: ModelStore) throws -> Content {
    var content = Content()
    for feed in try store.fetch(ModelRequest<IdentityFeed>()) { content.save(feed) }
    for part in try store.fetch(ModelRequest<IdentityPart>()) {
      guard case .array(let key) = part.item.key, case .string(let url) = key[0],
        case .string(let guid) = key[1]
      else { continue }
      content.parts[.init(url: url, guid: guid), default: [:]][part.number] = part.title
    }
    #expect(content.items.count == (try store.fetch(ModelRequest<IdentityItem>()).count))
    return content
  }
}
