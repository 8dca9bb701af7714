import MohoMapping
import MohoRows
import MohoTesting
import StoreTesting

/// Executes random operations on a context and its children, and on a reference
/// model.
struct ContextRun {
  let store: ModelStore
  private var random: SeededGenerator
  private var contexts: [EditingContext]
  private var histories: [ReferenceHistory] = [ReferenceHistory()]
  private var nextKey = 1
  let isAlwaysChecked: Bool

  init(seed: UInt64) throws {
    store = try emptyStore(
      entities: Entity(
        "Folder", attributes: [Attribute("key", .int64)],
        relationships: [
          .toMany("items", "Item", isOrdered: true, inverse: "folder", onDelete: .cascade)
        ]),
      Entity(
        "Item",
        attributes: [
          Attribute("key", .int64), Attribute("title", .string),
          Attribute("code", .string, isOptional: true),
        ],
        relationships: [
          .toOne("folder", "Folder", inverse: "items"),
          .toMany("labels", "Label", inverse: "items"),
          .toOne("twin", "Item", inverse: "twin"),
          .toOne("mark", "Label"),
        ],
        unique: [["code"]]),
      Entity(
        "Label", attributes: [Attribute("key", .int64), Attribute("name", .string)],
        relationships: [.toMany("items", "Item", inverse: "labels")]))
    random = SeededGenerator(seed: seed)
    contexts = [EditingContext(store)]
    // Half of the runs check rarely, so that many rows are still unread when
    // they change.
    isAlwaysChecked = seed % 2 == 0
  }

  var model: ReferenceHistory { histories[histories.count - 1] }
  private var context: EditingContext { contexts[contexts.count - 1] }

  func found() throws -> ReferenceModel { try ReferenceModel(context) }

  /// Executes a random operation and returns its description.
  mutating func performRandomOperation() throws -> String {
    let roll = random.below(100)
    switch roll {
    case 0..<8: return undo()
    case 8..<14: return redo()
    case 14..<17: return try save()
    case 17..<19: return rollback()
    case 19..<22: return begin()
    case 22..<25: return try end()
    case 25..<28: return reset()
    default: return try edit(roll)
    }
  }

  private mutating func change(
    _ name: String, key: String? = nil, _ rows: () throws -> Void,
    _ reference: (inout ReferenceModel) -> Void
  ) throws -> String {
    var history = model
    let before = history.now
    try rows()
    reference(&history.now)
    if history.now != before {
      if key == nil || history.lastKey != key { history.undo.append(before) }
      history.redo = []
      history.lastKey = key
    }
    histories[histories.count - 1] = history
    return name
  }

  private mutating func edit(_ roll: Int) throws -> String {
    let reference = model.now
    let folder =
      reference.folders.keys.sorted().isEmpty
      ? nil : random.one(of: reference.folders.keys.sorted())
    let items = reference.items.keys.sorted()
    let item = items.isEmpty ? nil : random.one(of: items)
    let label = reference.labels.isEmpty ? nil : random.one(of: reference.labels.keys.sorted())
    let context = context
    let key = nextKey
    func row(_ entity: String, _ key: Int) throws -> ManagedRow {
      try context.row(entity, withKey: key)
    }
    switch (roll, item, folder, label) {
    case (28..<34, _, _, _) where reference.folders.count < 5:
      nextKey += 1
      return try group("folder \(key)") {
        try context.make("Folder", ["key": key])
      } _: {
        $0.folders[key] = []
      }
    case (34..<46, _, _, _) where items.count < 10:
      nextKey += 1
      return try group("item \(key)") {
        let item = try context.make("Item", ["key": key, "title": "new"])
        if let folder { try item.setRelatedRow("folder", to: row("Folder", folder)) }
      } _: {
        $0.items[key] = ReferenceModel.Item(title: "new")
        $0.put(key, in: folder)
      }
    case (46..<52, _, _, _) where reference.labels.count < 4:
      nextKey += 1
      return try group("label \(key)") {
        try context.make("Label", ["key": key, "name": "label"])
      } _: {
        $0.labels[key] = "label"
      }
    case (52..<55, let item?, _, _):
      let mark = random.oneIn(4) ? nil : label
      return try change("mark of \(item) is \(mark ?? 0)") {
        try row("Item", item).setRelatedRow("mark", to: mark.map { try row("Label", $0) })
      } _: {
        $0.items[item]?.mark = mark
      }
    case (55..<58, let item?, _, _):
      if random.oneIn(2) { return try exchangeCodes(item, random.one(of: items)) }
      let code = random.one(of: ["x", "y", "z"])
      let holder = reference.items.first { $0.value.code == code }?.key
      let taker = random.oneIn(4) || holder == item ? nil : item
      return try group("code \(code) of \(taker ?? 0)") {
        if let holder { try row("Item", holder).set("code", to: FieldContent.null) }
        if let taker { try row("Item", taker).set("code", to: code) }
      } _: {
        $0.take(code, taker)
      }
    case (58..<62, let item?, _, _):
      let title = random.one(of: ["a", "b", "\u{e9}", "e\u{301}"])
      let isSame = Array(reference.items[item]?.title.utf8 ?? "".utf8) == Array(title.utf8)
      // Swift considers composed and decomposed characters equal. Stores do
      // not.
      guard isSame || reference.items[item]?.title != title else { return "nothing" }
      return try change("title \(item)", key: "title \(item)") {
        try row("Item", item).set("title", to: title)
      } _: {
        $0.items[item]?.title = title
      }
    case (62..<66, let item?, _, _):
      let target = random.oneIn(3) ? nil : folder
      return try change("folder of \(item) is \(target ?? 0)") {
        try row("Item", item).setRelatedRow("folder", to: target.map { try row("Folder", $0) })
      } _: {
        $0.put(item, in: target)
      }
    case (66..<72, let item?, let folder?, _):
      let position = random.below(4)
      return try change("\(item) in \(folder) at \(position)") {
        try row("Folder", folder).insert(row("Item", item), into: "items", at: position)
      } _: {
        $0.put(item, in: folder, at: position)
      }
    case (72..<76, _, let folder?, _):
      let members = items.filter { _ in random.oneIn(2) }.reversed()
      return try change("items of \(folder) are \(Array(members))") {
        try row("Folder", folder).setRelatedRows("items", to: members.map { try row("Item", $0) })
      } _: { reference in
        for old in reference.folders[folder] ?? [] { reference.put(old, in: nil) }
        for member in members { reference.put(member, in: folder) }
      }
    case (76..<82, let item?, _, let label?):
      let isFromLabel = random.oneIn(2)
      let isLinked = reference.items[item]?.labels.contains(label) == true
      return try change("\(isLinked ? "un" : "")label \(item) \(label)") {
        let (item, label) = (try row("Item", item), try row("Label", label))
        let (one, key, other) = isFromLabel ? (label, "items", item) : (item, "labels", label)
        isLinked ? try one.remove(other, from: key) : try one.add(other, to: key)
      } _: {
        if isLinked {
          $0.items[item]?.labels.remove(label)
        } else {
          $0.items[item]?.labels.insert(label)
        }
      }
    case (82..<88, let item?, _, _):
      let twin = random.oneIn(4) ? nil : random.one(of: items)
      return try change("twin of \(item) is \(twin ?? 0)") {
        try row("Item", item).setRelatedRow("twin", to: twin.map { try row("Item", $0) })
      } _: {
        $0.pair(item, with: twin)
      }
    case (88..<94, let item?, _, _):
      return try change("delete item \(item)") {
        try context.delete(row("Item", item))
      } _: {
        $0.deleteItem(item)
      }
    case (94..<97, _, let folder?, _):
      return try change("delete folder \(folder)") {
        try context.delete(row("Folder", folder))
      } _: {
        $0.deleteFolder(folder)
      }
    case (97..<100, _, _, let label?):
      return try change("delete label \(label)") {
        try context.delete(row("Label", label))
      } _: {
        $0.deleteLabel(label)
      }
    default: return "nothing"
    }
  }

  private mutating func exchangeCodes(_ one: Int, _ other: Int) throws -> String {
    let (context, items) = (context, model.now.items)
    func set(_ code: String?, of item: Int) throws {
      try context.row("Item", withKey: item).set(
        "code", to: code.map { FieldContent.string($0) } ?? .null)
    }
    return try group("codes of \(one) and \(other)") {
      try set(items[other]?.code, of: one)
      try set(items[one]?.code, of: other)
    } _: {
      $0.exchangeCodes(one, other)
    }
  }

  private mutating func group<Value>(
    _ name: String, _ rows: () throws -> Value, _ reference: (inout ReferenceModel) -> Void
  ) throws -> String {
    let context = context
    return try change(name) {
      _ = try context.undoGroup(name, rows)
    } _: {
      reference(&$0)
    }
  }

  private mutating func undo() -> String {
    let isDone = context.undo()
    guard let before = histories[histories.count - 1].undo.popLast() else { return "nothing" }
    histories[histories.count - 1].redo.append(model.now)
    histories[histories.count - 1].now = before
    if !isDone { return "undo of nothing" }
    histories[histories.count - 1].lastKey = nil
    return "undo"
  }

  private mutating func redo() -> String {
    context.redo()
    guard let after = histories[histories.count - 1].redo.popLast() else { return "nothing" }
    histories[histories.count - 1].undo.append(model.now)
    histories[histories.count - 1].now = after
    histories[histories.count - 1].lastKey = nil
    return "redo"
  }

  private mutating func save() throws -> String {
    try context.save()
    histories[histories.count - 1].saved = model.now
    histories[histories.count - 1].lastKey = nil
    if contexts.count > 1, contexts[contexts.count - 1].parent != nil {
      let parent = histories.count - 2
      if histories[parent].now != model.now {
        histories[parent].undo.append(histories[parent].now)
        histories[parent].redo = []
        histories[parent].now = model.now
      }
      histories[parent].lastKey = nil
    }
    return "save"
  }

  private mutating func rollback() -> String {
    context.rollback()
    var history = ReferenceHistory()
    history.now = model.saved
    history.saved = model.saved
    histories[histories.count - 1] = history
    return "rollback"
  }

  private mutating func reset() -> String {
    // A reset with open child contexts would leave their rows without a parent.
    context.reset()
    var history = ReferenceHistory()
    history.now = model.saved
    history.saved = model.saved
    histories[histories.count - 1] = history
    return "reset"
  }

  private mutating func begin() -> String {
    guard contexts.count < 3 else { return "nothing" }
    var history = ReferenceHistory()
    history.now = model.now
    history.saved = model.now
    contexts.append(EditingContext(childOf: context))
    histories.append(history)
    return "begin child"
  }

  private mutating func end() throws -> String {
    guard contexts.count > 1 else { return "nothing" }
    let isSaved = random.oneIn(2)
    if isSaved { _ = try save() }
    contexts.removeLast()
    histories.removeLast()
    return isSaved ? "end child, saved" : "end child"
  }

  mutating func saveAll() throws {
    while contexts.count > 1 {
      _ = try save()
      contexts.removeLast()
      histories.removeLast()
    }
    _ = try save()
  }
}

extension EditingContext {
  fileprivate func row(_ entity: String, withKey key: Int) throws -> ManagedRow {
    let row = try fetch(entity).first { try $0["key"] == .int64(Int64(key)) }
    guard let row else { throw StoreError.mismatch }
    return row
  }
}
