import MohoMapping
import MohoRows
import MohoTesting

/// Edits the rows of ``Houses`` in a context.
struct HouseContext {
  let context: EditingContext
  private var new: [String: ManagedRow] = [:]

  init(_ context: EditingContext) { self.context = context }

  /// Reads rows and links, so that the context need not find them.
  func load(_ random: inout SeededGenerator) throws {
    for (entity, keys) in [
      ("City", ["houses"]), ("House", ["rooms", "tags", "owner"]), ("Node", ["children"]),
    ] where random.oneIn(2) {
      for row in try context.fetch(entity) {
        for key in keys {
          if key == "owner" { _ = try row.relatedRow(key) } else { _ = try row.relatedRows(key) }
        }
      }
    }
  }

  private func row(_ entity: String, _ id: Int) throws -> ManagedRow {
    try new["\(entity) \(id)"] ?? context.row(RowIdentity(entity: entity, stored: Int64(id)))
  }

  private func row(_ entity: String, _ id: Int?) throws -> ManagedRow? {
    try id.map { try row(entity, $0) }
  }

  mutating func apply(_ edit: HouseEdit, to model: HouseModel) throws {
    let parts = edit.row.split(separator: " ")
    let (entity, id) = (String(parts[0]), Int(parts[1]) ?? 0)
    if case .deletion = edit { return try context.delete(row(entity, id)) }
    if !model.ids(entity).contains(id) {
      let row = try context.insert(entity)
      try row.set("id", to: id)
      new[edit.row] = row
    }
    try set(edit, row(entity, id))
  }

  private func set(_ edit: HouseEdit, _ row: ManagedRow) throws {
    switch edit {
    case .room(_, let room):
      try row.set("name", to: room.name)
      try row.set(\Houses.Room.size, to: Houses.Size(width: room.width, height: room.height))
      try row.setRelatedRow("house", to: self.row("House", room.house))
    case .person(_, let person):
      try row.set("low", to: person.low)
      try row.set("high", to: person.high)
    case .tag(_, let weight): try row.set("weight", to: weight)
    case .city(_, let limit): try row.set("limit", to: limit)
    case .house(_, let house):
      try row.set("grade", to: house.grade)
      try row.setRelatedRow("owner", to: self.row("Person", house.owner))
      try row.setRelatedRow("city", to: self.row("City", house.city))
      try row.setRelatedRows("tags", to: house.tags.sorted().map { try self.row("Tag", $0) })
    case .node(_, let node):
      try row.set("value", to: node.value)
      try row.setRelatedRow("parent", to: self.row("Node", node.parent))
    case .deletion: break
    }
  }
}

extension StoreWriter {
  /// Applies an edit with models and partial models.
  ///
  /// - Parameters:
  ///   - old: The rows before the edit.
  ///   - new: The rows after the edit.
  func apply(
    _ edit: HouseEdit, from old: HouseModel, to new: HouseModel, _ random: inout SeededGenerator
  ) throws {
    switch edit {
    case .room(let id, _):
      let room = try new.room(id)
      if random.oneIn(2) { try save(room) } else { try upsert(Partial(room)) }
    case .person(let id, _):
      let person = new.person(id)
      guard old.people[id] != nil, random.oneIn(2) else { return _ = try save([person]) }
      try update([Partial(person)])
    case .tag(let id, _): try save(new.tag(id))
    case .city(let id, let limit):
      let city = Houses.City(id: id, limit: limit, houses: [])
      if old.cities[id] == nil { return _ = try save(city) }
      try update([Partial(city, only: \.id, \.limit)])
    case .house(let id, _):
      let house = try new.house(id, rooms: [])
      if old.houses[id] == nil { return _ = try save(house) }
      try update([Partial(house, only: \.id, \.grade, \.owner, \.tags, \.city)])
    case .node(let id, let node):
      let model = try Houses.Node(
        id: id, value: node.value, children: [], parent: node.parent.map { try .init(key: $0) })
      if old.nodes[id] == nil { return _ = try save(model) }
      try upsert([Partial(model, only: \.id, \.value, \.parent)])
    case .deletion(let entity, let id):
      try delete(RowRequest(entity).filter { $0["id"] == id })
    }
  }
}

extension HouseModel {
  func room(_ id: Int) throws -> Houses.Room {
    let room = rooms[id] ?? Room()
    return try Houses.Room(
      id: id, name: room.name, size: Houses.Size(width: room.width, height: room.height),
      house: room.house.map { try ModelReference(key: $0) })
  }

  func person(_ id: Int) -> Houses.Person {
    Houses.Person(id: id, low: people[id]?.low ?? 0, high: people[id]?.high ?? 0)
  }

  func tag(_ id: Int) -> Houses.Tag { Houses.Tag(id: id, weight: tags[id] ?? 0) }

  func house(_ id: Int, rooms: [Int]) throws -> Houses.House {
    let house = houses[id] ?? House()
    return try Houses.House(
      id: id, grade: house.grade, rooms: rooms.map { try room($0) },
      owner: house.owner.map { person($0) }, tags: house.tags.sorted().map { tag($0) },
      city: house.city.map { try ModelReference(key: $0) })
  }

  /// Whether a model that is saved by an edit is invalid, regardless of other rows.
  func isInvalidModel(_ edit: HouseEdit, isNew: Bool) -> Bool {
    switch edit {
    case .person(let id, _): return brokenRows.contains("Person \(id)")
    case .house(let id, let house):
      if isNew { return brokenRows.contains("House \(id)") }
      if house.tags.compactMap({ tags[$0] }).reduce(0, +) > 10 { return true }
      guard let owner = house.owner.flatMap({ people[$0] }) else { return false }
      return owner.high > 8 || owner.low > owner.high
    default: return false
    }
  }

  /// Reads the rows of a store, without models.
  init(_ store: ModelStore) throws {
    let context = EditingContext(store)
    func rows(_ entity: String) throws -> [(id: Int, row: ManagedRow)] {
      try context.fetch(entity).map { (try $0.value("id", as: Int.self), $0) }
    }
    func link(_ row: ManagedRow, _ key: String) throws -> Int? {
      try row.relatedRow(key).map { try $0.value("id", as: Int.self) }
    }
    for (id, row) in try rows("Room") {
      let size = try row[\Houses.Room.size]
      rooms[id] = Room(
        name: try row.value("name", as: Int.self), width: size.width, height: size.height,
        house: try link(row, "house"))
    }
    for (id, row) in try rows("Person") {
      people[id] = Person(
        low: try row.value("low", as: Int.self), high: try row.value("high", as: Int.self))
    }
    for (id, row) in try rows("House") {
      let tags = try row.relatedRows("tags").map { try $0.value("id", as: Int.self) }
      houses[id] = House(
        grade: try row.value("grade", as: Int.self), owner: try link(row, "owner"),
        city: try link(row, "city"), tags: Set(tags))
    }
    for (id, row) in try rows("Tag") { tags[id] = try row.value("weight", as: Int.self) }
    for (id, row) in try rows("City") { cities[id] = try row.value("limit", as: Int.self) }
    for (id, row) in try rows("Node") {
      nodes[id] = Node(
        value: try row.value("value", as: Int.self), parent: try link(row, "parent"))
    }
  }
}
