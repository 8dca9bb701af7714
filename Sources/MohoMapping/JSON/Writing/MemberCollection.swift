/// Collects the values of an object until its members and their order are known: if
/// keys are inlined, store unknown members, or arrive in another order than that of
/// writing.
///
/// Values are identified by slots: the positions of their keys, with the keys of an
/// inlined model after all previous keys. Unknown members are keys that are inlined
/// at the key that stores them.
final class MemberCollection {
  /// The keys whose values are being written.
  private var table: FieldKeys
  private var base = 0
  /// All keys so far: those of the object, and inlined keys.
  private var tables: [FieldKeys]
  /// The slots of the keys that inline others, and the first slots of those.
  // An array: most objects have no such key, or one.
  private var bases: [(slot: Int, base: Int)] = []
  private var slotCount: Int
  private var starts: [(slot: Int, position: Int)] = []
  /// Nil keys that were omitted and could be read at other paths, with the first slot
  /// of their keys.
  private var omitted: [(table: FieldKeys, base: Int, index: Int)] = []
  /// The slots of the unknown members.
  private var unknown: (slots: Range<Int>, members: UnknownMembers)?
  /// The slot of unknown members that are one value of the text, and their number.
  private static let joinedSlot = -1
  private var joinedCount = 0
  /// The joined members, if members are sorted, and their ranges in the text of all of them.
  private var sortedMembers: [(name: String, range: Range<Int>)] = []
  /// The last lists of names of members that could be joined. Documents of a server have few.
  private var joinableNames: [[String]] = []
  private lazy var keyNames = own.firstNames(isStored: isStored)

  private let own: FieldKeys
  private let envelope: FieldPath?
  private let isSorted: Bool
  private let isStored: Bool
  private var plans: [[ObjectIdentifier]: KnownPlan] = [:]
  /// The plan of the last object.
  private var lastPlan: KnownPlan?
  /// The range of each slot's value.
  private var ranges: [Range<Int>?] = []
  /// The keys and the slots of objects whose unknown members conflict with no key.
  private var checked: Set<CheckedObject> = []
  private var unknownKeys: [UnknownNames: UnknownKeys] = [:]

  /// The names of unknown members of a model.
  private struct UnknownNames: Hashable {
    let model: String
    let names: [MemberName]
    let keepsOrder: Bool
  }

  /// The keys of unknown members, and their paths in order if another key has them.
  private typealias UnknownKeys = (keys: FieldKeys, order: [String]?)

  // An object: a struct would be copied for each object that is written.
  private final class KnownPlan {
    // The keys are retained so that their identities stay unique.
    let tables: [FieldKeys]
    let plan: OutputPlan
    /// The names of the members that contain the values, by slot.
    let memberNames: [String?]

    init(tables: [FieldKeys], plan: OutputPlan, memberNames: [String?]) {
      self.tables = tables
      self.plan = plan
      self.memberNames = memberNames
    }
  }

  init(_ table: FieldKeys, envelope: FieldPath?, isSorted: Bool, isStored: Bool) {
    self.table = table
    self.envelope = envelope
    self.isSorted = isSorted
    self.isStored = isStored
    own = table
    tables = [table]
    slotCount = table.keys.count
  }

  /// The keys in the order of writing.
  var order: [Int] {
    own.keys.indices.filter { own.keys[$0].source != nil || own.keys[$0].receivesUnknownMembers }
  }

  /// The position of the first value in the text.
  private(set) var mark = 0
  /// The values of an object that has ended.
  var values = TextBuffer()

  /// Begins an object whose values follow a position of the text.
  func begin(at position: Int) {
    mark = position
    tables.removeLast(tables.count - 1)
    bases.removeAll(keepingCapacity: true)
    slotCount = own.keys.count
    starts.removeAll(keepingCapacity: true)
    omitted.removeAll(keepingCapacity: true)
    unknown = nil
    joinedCount = 0
    sortedMembers.removeAll(keepingCapacity: true)
  }

  /// Whether nothing of the object has been written or omitted.
  var isEmpty: Bool { starts.isEmpty && omitted.isEmpty && tables.count == 1 }

  func key(at index: Int) -> FieldKey { table.keys[index] }

  /// The path of the values in the elements of the array that a key collects.
  func elementPath(at index: Int) -> FieldPath? { table.keys[index].source?.elementPath }

  /// The depth of the value of a key below the root.
  func depth(of index: Int) -> Int {
    (envelope?.components.count ?? 0)
      + (table.keys[index].source?.valuePath.components.count ?? 0)
  }

  /// Records that the value of a key begins at a position of the text.
  ///
  /// - Returns: False if the key is not part of documents.
  func add(_ index: Int, at position: Int) -> Bool {
    guard table.keys[index].source != nil else { return false }
    starts.append((base + index, position))
    return true
  }

  /// Returns whether unknown members can be written as one block after the keys: whether no
  /// key can have one of their paths.
  func canJoin(_ names: [String]) -> Bool {
    guard table === own, let keyNames else { return false }
    if joinableNames.contains(where: {
      $0.elementsEqual(names) { $0.hasSameBytes(as: $1) }
    }) {
      return true
    }
    var distinct: Set<MemberName> = []
    for name in names {
      let member = MemberName(name)
      guard !name.isEmpty, !name.hasPathSyntax,
        !keyNames.contains(member), distinct.insert(member).inserted
      else { return false }
    }
    if joinableNames.count == 4 { joinableNames.removeFirst() }
    joinableNames.append(names)
    return true
  }

  /// Records that unknown members begin at a position of the text.
  func addJoined(_ count: Int, at position: Int) {
    starts.append((Self.joinedSlot, position))
    joinedCount = count
  }

  /// Records one of the joined members, if members are sorted.
  ///
  /// - Parameter range: The range in the text of the joined members.
  func addSorted(_ name: String, _ range: Range<Int>) {
    sortedMembers.append((name, range))
  }

  /// Records that a key is nil and was omitted.
  func omit(_ index: Int) {
    let key = key(at: index)
    if key.isInlined || !key.alternatives.isEmpty { omitted.append((table, base, index)) }
  }

  /// Calls a function with each omitted key that would be read from an unknown member.
  func forEachMisreadKey(_ body: (Int) -> Void) {
    guard let unknown, !omitted.isEmpty else { return }
    let members = tablesByBase[unknown.slots.lowerBound]?.keys.compactMap(\.source) ?? []
    let outer = (table, base)
    defer { (table, base) = outer }
    for key in omitted where key.table.isRead(at: key.index, from: members) {
      (table, base) = (key.table, key.base)
      body(key.index)
    }
  }

  /// Calls a function that writes the values of keys that are inlined at a key.
  func inline(_ keys: FieldKeys, at index: Int, _ body: () throws -> Void) rethrows {
    let outer = (table, base)
    bases.append((base + index, slotCount))
    (table, base) = (keys, slotCount)
    tables.append(keys)
    slotCount += keys.keys.count
    defer { (table, base) = outer }
    try body()
  }

  /// The keys of the unknown members that a key stores.
  ///
  /// - Parameters:
  ///   - keepsOrder: Whether the order of the members must be kept.
  /// - Returns: The keys. If the text must contain the order, the last key is that of the
  ///   members' paths in order, which are returned, too.
  /// - Throws: `MappingError` if a member's name is not a path.
  func unknownKeys(
    at index: Int, names: [String], in object: FieldPath, keepsOrder: Bool
  ) throws -> (keys: FieldKeys, order: [String]?) {
    let members = UnknownMembers(of: table.model, at: key(at: index).name, in: object)
    let identity = UnknownNames(
      model: table.model, names: names.map(MemberName.init), keepsOrder: keepsOrder)
    let known: UnknownKeys
    if let cached = unknownKeys[identity] {
      known = cached
    } else {
      let paths = try names.map { try members.path($0) }
      var unknown = zip(names, isStored ? paths.map(\.stored) : paths).map { ($0, $1) }
      var order: [String]?
      if keepsOrder, UnknownOrder.isNeeded(for: paths) {
        unknown.append((UnknownOrder.name, FieldPath([.key(UnknownOrder.name)])))
        order = paths.map(\.description)
      }
      known = (FieldKeys(unknown: unknown, of: table.model), order)
      if unknownKeys.count >= 64 { unknownKeys.removeAll() }
      unknownKeys[identity] = known
    }
    unknown = (slotCount..<(slotCount + known.keys.keys.count), members)
    return known
  }

  /// The keys that are null if an inlined model is nil.
  func keysOfNil(at index: Int) -> FieldKeys? { table.keysOfNil(at: index) }

  /// A value of an object in the text.
  enum Value {
    /// The value of the key with a slot.
    case key(slot: Int)
    /// The names and values of some members.
    case members(count: Int)
  }

  /// Calls a function with the values in the order of the plan, and their ranges in the text
  /// from the mark on.
  ///
  /// - Parameter end: The end of the text.
  func forEachValue(until end: Int, _ body: (Value, Range<Int>) -> Void) {
    guard let lastPlan else { return }
    ranges.removeAll(keepingCapacity: true)
    ranges.append(contentsOf: repeatElement(nil, count: slotCount))
    var joined: Range<Int>?
    for (number, start) in starts.enumerated() {
      let next = number + 1 < starts.count ? starts[number + 1].position : end
      let range = (start.position - mark)..<(next - mark)
      if start.slot == Self.joinedSlot {
        joined = range
      } else {
        ranges[start.slot] = range
      }
    }
    let joinedStart = joined?.lowerBound ?? 0
    var members = sortedMembers.sorted(byBytesOf: \.name)[...]
    func addMembers(before name: String?) {
      while let member = members.first, name.map(member.name.precedesInBytes) ?? true {
        let (lower, upper) = (member.range.lowerBound, member.range.upperBound)
        body(.members(count: 1), (joinedStart + lower)..<(joinedStart + upper))
        members.removeFirst()
      }
    }
    for slot in lastPlan.plan.order {
      guard let range = ranges[slot] else { continue }
      if !members.isEmpty { addMembers(before: lastPlan.memberNames[slot]) }
      body(.key(slot: slot), range)
    }
    if isSorted { return addMembers(before: nil) }
    if let joined { body(.members(count: joinedCount), joined) }
  }

  /// The plan of the members. A key whose path another key has claimed is omitted, such
  /// as a discriminator that a variant contains.
  ///
  /// - Throws: `MappingError` if the paths of unknown members conflict with keys.
  var plan: OutputPlan {
    get throws {
      if unknown == nil, let lastPlan, lastPlan.tables.elementsEqual(tables, by: ===) {
        return lastPlan.plan
      }
      let identities = tables.map { ObjectIdentifier($0) }
      try checkUnknown(identities)
      let known = plan(of: identities)
      lastPlan = known
      return known.plan
    }
  }

  private func plan(of identities: [ObjectIdentifier]) -> KnownPlan {
    if let known = plans[identities] { return known }
    var seen: Set<MemberName> = []
    let paths = tables.flatMap(\.keys).map { key -> FieldPath? in
      guard let path = key.source, !key.isInlined else { return nil }
      return seen.insert(MemberName(path.description)).inserted ? path : nil
    }
    let slots = slots(of: own, from: 0, in: tablesByBase)
    let tree = OutputTree(
      paths, order: slots.filter { !isUnknown($0) } + slots.filter(isUnknown),
      envelope: envelope)
    let plan = KnownPlan(
      tables: tables, plan: OutputPlan(isSorted ? tree.sorted : tree, keyCount: paths.count),
      memberNames: paths.map { path in
        if case .key(let name)? = path?.components.first { name } else { nil }
      })
    // A mapping that is created for each use adds new keys every time.
    if plans.count >= 64 {
      plans.removeAll()
      checked.removeAll()
    }
    plans[identities] = plan
    return plan
  }

  private func isUnknown(_ slot: Int) -> Bool { unknown?.slots.contains(slot) ?? false }

  /// An object whose unknown members are checked: its keys, and the slots that are written.
  private struct CheckedObject: Hashable {
    let tables: [ObjectIdentifier]
    let slots: [Int]
  }

  /// Checks that unknown members conflict neither with keys nor with each other.
  private func checkUnknown(_ identities: [ObjectIdentifier]) throws {
    guard let unknown else { return }
    let object = CheckedObject(tables: identities, slots: starts.map(\.slot))
    // The plan retains the keys.
    if plans[identities] != nil, checked.contains(object) { return }
    let tables = tablesByBase
    let written = Set(starts.map(\.slot))
    var claims = ClaimedPaths()
    claim(own, from: 0, in: tables, written, &claims)
    for key in tables[unknown.slots.lowerBound]?.keys ?? [] {
      if let path = key.source { try unknown.members.claim(path, in: &claims) }
    }
    if checked.count >= 1_024 { checked.removeAll() }
    checked.insert(object)
  }

  /// Claims the paths of keys, including those of inlined models that are nil. Only the
  /// alternatives of keys that are not written can be read.
  private func claim(
    _ table: FieldKeys, from base: Int, in tables: [Int: FieldKeys], _ written: Set<Int>,
    _ claims: inout ClaimedPaths
  ) {
    for (index, key) in table.keys.enumerated() where !key.receivesUnknownMembers {
      if let inner = self.base(inlinedAt: base + index), let keys = tables[inner] {
        claim(keys, from: inner, in: tables, written, &claims)
      } else if written.contains(base + index), let path = key.source {
        claims.insert(path)
      } else {
        // Of a key that structured text does not contain.
        if key.source == nil { for path in key.alternatives { claims.insert(path) } }
        for path in table.possiblePaths(at: index) { claims.insert(path) }
      }
    }
  }

  /// The slots of keys, with those of inlined models instead of their keys.
  private func slots(
    of table: FieldKeys, from base: Int, in tables: [Int: FieldKeys]
  ) -> [Int] {
    (base..<(base + table.keys.count)).flatMap { slot in
      guard let inner = self.base(inlinedAt: slot), let keys = tables[inner] else { return [slot] }
      return slots(of: keys, from: inner, in: tables)
    }
  }

  /// The first slot of the keys that a key inlines.
  private func base(inlinedAt slot: Int) -> Int? { bases.last { $0.slot == slot }?.base }

  /// All keys by their first slots.
  private var tablesByBase: [Int: FieldKeys] {
    var base = 0
    var tablesByBase: [Int: FieldKeys] = [:]
    for table in tables {
      tablesByBase[base] = table
      base += table.keys.count
    }
    return tablesByBase
  }
}

extension FieldKeys {
  /// The first names of the paths of the keys, including alternatives and the keys of inlined
  /// models. Nil if unknown members can be inside keys, or if the keys of the object depend on
  /// its values.
  ///
  /// - Parameter isStored: Whether the paths are those in structured text of a store.
  fileprivate func firstNames(isStored: Bool) -> Set<MemberName>? {
    // A store does not contain the keys that only documents have, but their paths are claimed.
    guard !isCluster, let documented = pathsOfInlinedModels(),
      let inlined = pathsOfInlinedModels(isStored: isStored)
    else { return nil }
    let own = keys.filter { !$0.receivesUnknownMembers && !$0.isInlined }.flatMap(\.paths)
    var names: Set<MemberName> = []
    for path in own + documented + inlined {
      guard case .key(let name)? = path.components.first else { return nil }
      names.insert(MemberName(name))
    }
    return names
  }
}
