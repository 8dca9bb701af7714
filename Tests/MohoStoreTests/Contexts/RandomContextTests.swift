import Campaigns
import Foundation
import MohoMapping
import MohoRows
import MohoTesting
import StoreTesting
import Testing

/// Compares contexts with dictionaries: after every operation, a context has
/// the same content as the dictionaries, and so does the store after saving.
@Suite(.allEngines) struct RandomContextTests {
  @Test(arguments: 0..<Campaign.count("MOHO_RANDOM_SEEDS", short: 12, full: 24))
  func contextsHaveWhatTheirModelHas(seed: Int) throws {
    var run = try ContextRun(seed: UInt64(seed))
    for step in 0..<150 {
      let action = try run.performRandomOperation()
      if step % 3 == 0 || run.isAlwaysChecked {
        let found = try run.found()
        try #require(found == run.model.now, "seed \(seed), step \(step): \(action)")
      }
    }
    try run.saveAll()
    let stored = try ReferenceModel(EditingContext(run.store))
    #expect(stored == run.model.now, "seed \(seed), saved")
    #expect(try run.store.brokenLinks() == [])
  }
}

/// The folders, items and labels of a store, by key.
struct ReferenceModel: Equatable {
  struct Item: Equatable {
    var title = ""
    var folder: Int?
    var labels: Set<Int> = []
    var twin: Int?
    var mark: Int?
    var code: String?
  }

  var folders: [Int: [Int]] = [:]
  var items: [Int: Item] = [:]
  var labels: [Int: String] = [:]

  init() {}

  /// Reads the content of a context.
  init(_ context: EditingContext) throws {
    func key(_ row: ManagedRow) throws -> Int { try row.value("key", as: Int.self) }
    for folder in try context.fetch("Folder") {
      folders[try key(folder)] = try folder.relatedRows("items").map(key)
    }
    for item in try context.fetch("Item") {
      items[try key(item)] = Item(
        title: try item.value("title", as: String.self),
        folder: try item.relatedRow("folder").map(key),
        labels: Set(try item.relatedRows("labels").map(key)),
        twin: try item.relatedRow("twin").map(key),
        mark: try item.relatedRow("mark").map(key),
        code: try item.value("code", as: String?.self))
    }
    for label in try context.fetch("Label") {
      labels[try key(label)] = try label.value("name", as: String.self)
      for item in try label.relatedRows("items") {
        if items[try key(item)]?.labels.contains(try key(label)) != true {
          throw StoreError.mismatch
        }
      }
    }
    for (folder, members) in folders where members.contains(where: { items[$0]?.folder != folder })
    {
      throw StoreError.mismatch
    }
  }

  mutating func put(_ item: Int, in folder: Int?, at position: Int? = nil) {
    if let old = items[item]?.folder {
      if old == folder, position == nil { return }
      folders[old]?.removeAll { $0 == item }
    }
    items[item]?.folder = folder
    guard let folder, let count = folders[folder]?.count else { return }
    folders[folder]?.insert(item, at: min(position ?? count, count))
  }

  mutating func pair(_ item: Int, with twin: Int?) {
    if items[item]?.twin == twin { return }
    for one in [item, twin].compactMap({ $0 }) {
      if let old = items[one]?.twin { items[old]?.twin = nil }
      items[one]?.twin = nil
    }
    items[item]?.twin = twin
    if let twin { items[twin]?.twin = item }
  }

  mutating func deleteItem(_ item: Int) {
    pair(item, with: nil)
    put(item, in: nil)
    items[item] = nil
  }

  mutating func deleteFolder(_ folder: Int) {
    for item in folders[folder] ?? [] { deleteItem(item) }
    folders[folder] = nil
  }

  mutating func deleteLabel(_ label: Int) {
    for item in items.keys {
      items[item]?.labels.remove(label)
      if items[item]?.mark == label { items[item]?.mark = nil }
    }
    labels[label] = nil
  }

  /// Takes a code from the item that has it.
  mutating func take(_ code: String, _ item: Int?) {
    for other in items.keys where items[other]?.code == code { items[other]?.code = nil }
    if let item { items[item]?.code = code }
  }

  mutating func exchangeCodes(_ one: Int, _ other: Int) {
    let (code, otherCode) = (items[one]?.code, items[other]?.code)
    items[one]?.code = otherCode
    items[other]?.code = code
  }
}

extension StoreError {
  /// The error for a link whose ends do not match.
  static var mismatch: any Error { CancellationError() }
}

/// An undo history that stores complete pictures.
struct ReferenceHistory {
  var now = ReferenceModel()
  var saved = ReferenceModel()
  var undo: [ReferenceModel] = []
  var redo: [ReferenceModel] = []
  var lastKey: String?
}
