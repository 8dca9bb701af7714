import MohoMapping
import MohoTesting

/// The rows of ``Houses`` and their links, as plain values. Rules and delete rules are
/// implemented independently of the mappings.
struct HouseModel: Equatable {
  struct Room: Equatable {
    var name = 0
    var width = 1
    var height = 1
    var house: Int?
  }

  struct Person: Equatable {
    var low = 0
    var high = 0
  }

  struct House: Equatable {
    var grade = 0
    var owner: Int?
    var city: Int?
    var tags: Set<Int> = []
  }

  struct Node: Equatable {
    var value = 0
    var parent: Int?
  }

  var rooms: [Int: Room] = [:]
  var people: [Int: Person] = [:]
  var houses: [Int: House] = [:]
  /// The weights of tags, and the limits of cities.
  var tags: [Int: Int] = [:]
  var cities: [Int: Int] = [:]
  var nodes: [Int: Node] = [:]

  /// The rows that break rules, such as `House 5`, without rows that only contain them.
  var brokenRows: Set<String> {
    var broken: Set<String> = []
    for (id, person) in people where person.low > person.high { broken.insert("Person \(id)") }
    for id in houses.keys where !isValidHouse(id) { broken.insert("House \(id)") }
    for (id, limit) in cities where area(ofCity: id) > limit { broken.insert("City \(id)") }
    for id in nodes.keys where !isValidNode(id) { broken.insert("Node \(id)") }
    return broken
  }

  private func isValidHouse(_ id: Int) -> Bool {
    guard let house = houses[id] else { return true }
    let names = rooms.values.filter { $0.house == id }.map(\.name).sorted()
    if zip(names, names.dropFirst()).contains(where: { $0 == $1 }) { return false }
    if house.tags.compactMap({ tags[$0] }).reduce(0, +) > 10 { return false }
    guard let owner = house.owner.flatMap({ people[$0] }) else { return true }
    return owner.low <= house.grade && owner.high <= 8
  }

  private func area(ofCity id: Int) -> Int {
    var area = 0
    for room in rooms.values {
      guard let house = room.house.flatMap({ houses[$0] }), house.city == id else { continue }
      area += room.width * room.height
    }
    return area
  }

  func children(of id: Int) -> [Int] { nodes.filter { $0.value.parent == id }.map(\.key) }

  private func sum(_ id: Int) -> Int {
    children(of: id).reduce(nodes[id]?.value ?? 0) { $0 + sum($1) }
  }

  private func isValidNode(_ id: Int) -> Bool {
    guard let node = nodes[id], sum(id) <= 30 else { return false }
    return children(of: id).allSatisfy { (nodes[$0]?.value ?? 0) <= node.value }
  }

  /// Whether a node is another one or contains it.
  func contains(_ node: Int, in other: Int) -> Bool {
    var current: Int? = node
    while let id = current {
      if id == other { return true }
      current = nodes[id]?.parent
    }
    return false
  }

  /// Deletes a row by the delete rules.
  mutating func delete(_ entity: String, _ id: Int) {
    switch entity {
    case "Room": rooms[id] = nil
    case "Person":
      people[id] = nil
      for house in houses.keys where houses[house]?.owner == id { houses[house]?.owner = nil }
    case "Tag":
      tags[id] = nil
      for house in houses.keys { houses[house]?.tags.remove(id) }
    case "House":
      houses[id] = nil
      rooms = rooms.filter { $0.value.house != id }
    case "City":
      cities[id] = nil
      for house in houses.keys where houses[house]?.city == id { houses[house]?.city = nil }
    default:
      for child in children(of: id) { delete("Node", child) }
      nodes[id] = nil
    }
  }

  func ids(_ entity: String) -> [Int] {
    switch entity {
    case "Room": rooms.keys.sorted()
    case "Person": people.keys.sorted()
    case "Tag": tags.keys.sorted()
    case "House": houses.keys.sorted()
    case "City": cities.keys.sorted()
    default: nodes.keys.sorted()
    }
  }
}

/// An edit of one row.
enum HouseEdit {
  /// Saves a row, which may be new.
  case room(Int, HouseModel.Room)
  case person(Int, HouseModel.Person)
  case tag(Int, weight: Int)
  case city(Int, limit: Int)
  case house(Int, HouseModel.House)
  case node(Int, HouseModel.Node)
  case deletion(String, Int)

  var row: String {
    switch self {
    case .room(let id, _): "Room \(id)"
    case .person(let id, _): "Person \(id)"
    case .tag(let id, _): "Tag \(id)"
    case .city(let id, _): "City \(id)"
    case .house(let id, _): "House \(id)"
    case .node(let id, _): "Node \(id)"
    case .deletion(let entity, let id): "\(entity) \(id)"
    }
  }

  func apply(to model: inout HouseModel) {
    switch self {
    case .room(let id, let room): model.rooms[id] = room
    case .person(let id, let person): model.people[id] = person
    case .tag(let id, let weight): model.tags[id] = weight
    case .city(let id, let limit): model.cities[id] = limit
    case .house(let id, let house): model.houses[id] = house
    case .node(let id, let node): model.nodes[id] = node
    case .deletion(let entity, let id): model.delete(entity, id)
    }
  }

  /// Applies the values that differ from those of older rows, as a context does. A row that
  /// is missing now is inserted again, if the edit has changed it.
  func apply(to model: inout HouseModel, since old: HouseModel) {
    switch self {
    case .room(let id, let room):
      change(room, old.rooms[id], &model.rooms[id]) { new, base, row in
        if new.name != base.name { row.name = new.name }
        if new.width != base.width { row.width = new.width }
        if new.height != base.height { row.height = new.height }
        if new.house != base.house { row.house = new.house }
      }
    case .person(let id, let person):
      change(person, old.people[id], &model.people[id]) { new, base, row in
        if new.low != base.low { row.low = new.low }
        if new.high != base.high { row.high = new.high }
      }
    case .house(let id, let house):
      change(house, old.houses[id], &model.houses[id]) { new, base, row in
        if new.grade != base.grade { row.grade = new.grade }
        if new.owner != base.owner { row.owner = new.owner }
        if new.city != base.city { row.city = new.city }
        if new.tags != base.tags { row.tags = new.tags }
      }
    case .tag(let id, let weight): change(weight, old.tags[id], &model.tags[id]) { $2 = $0 }
    case .city(let id, let limit): change(limit, old.cities[id], &model.cities[id]) { $2 = $0 }
    case .node, .deletion: apply(to: &model)
    }
  }

  private func change<Row: Equatable>(
    _ new: Row, _ base: Row?, _ current: inout Row?, merging merge: (Row, Row, inout Row) -> Void
  ) {
    if new == base { return }
    guard let base, var merged = current else { return current = new }
    merge(new, base, &merged)
    current = merged
  }
}

extension HouseModel {
  /// Returns a random edit that refers to existing rows only.
  func randomEdit(_ random: inout SeededGenerator) -> HouseEdit {
    let entity = random.one(of: ["Room", "Room", "Person", "Tag", "House", "House", "City", "Node"])
    let id = 1 + random.below(entity == "Room" ? 10 : 5)
    if ids(entity).contains(id), random.oneIn(6) { return .deletion(entity, id) }
    switch entity {
    case "Room":
      var room = rooms[id] ?? Room(house: link("House", &random))
      switch random.below(3) {
      case 0: room.name = random.below(5)
      case 1: (room.width, room.height) = (1 + random.below(3), 1 + random.below(3))
      default: room.house = link("House", &random)
      }
      return .room(id, room)
    case "Person":
      let low = random.below(5)
      return .person(id, Person(low: low, high: low - (random.oneIn(8) ? 1 : 0) + random.below(6)))
    case "Tag": return .tag(id, weight: random.below(8))
    case "City": return .city(id, limit: 6 + random.below(20))
    case "House":
      var house = houses[id] ?? House(grade: 4)
      switch random.below(4) {
      case 0: house.grade = random.below(6)
      case 1: house.owner = link("Person", &random)
      case 2: house.city = link("City", &random)
      default: house.tags = Set(ids("Tag").filter { _ in random.oneIn(2) })
      }
      return .house(id, house)
    default:
      var node = nodes[id] ?? Node()
      if random.oneIn(2) { node.value = random.below(12) }
      if random.oneIn(2) {
        let parent = link("Node", &random)
        if parent.map({ !contains($0, in: id) }) ?? true { node.parent = parent }
      }
      return .node(id, node)
    }
  }

  private func link(_ entity: String, _ random: inout SeededGenerator) -> Int? {
    let ids = ids(entity)
    return ids.isEmpty || random.oneIn(4) ? nil : random.one(of: ids)
  }
}
