import MohoMapping
import MohoRows
import StoreTesting

/// Models whose rules read related models: nested ones at two levels, to-one, to-many,
/// many-to-many, inlined, and models that contain themselves.
enum Houses {
  struct Size: MappedModel, Equatable {
    var width: Int
    var height: Int

    static let mapping = Mapping(
      "Size", Size.init, .key("width", \.width), .key("height", \.height))
  }

  struct Room: MappedModel, Equatable {
    var id: Int
    var name: Int
    var size = Size(width: 1, height: 1)
    var house: ModelReference<House>?

    static let mapping = Mapping(
      "Room", Room.init, .key("id", \.id, .unique), .key("name", \.name),
      .inlined("size", \.size, default: Size(width: 1, height: 1)),
      .toOne("house", \.house, inverse: "rooms"))
  }

  struct Person: MappedModel, Equatable {
    var id: Int
    var low: Int
    var high: Int

    static let mapping = Mapping(
      "Person", Person.init, .key("id", \.id, .unique), .key("low", \.low), .key("high", \.high)
    ).validating("low up to high") { $0.low <= $0.high }
  }

  struct Tag: MappedModel, Equatable {
    var id: Int
    var weight: Int

    static let mapping = Mapping(
      "Tag", Tag.init, .key("id", \.id, .unique), .key("weight", \.weight))
  }

  struct House: MappedModel, Equatable {
    var id: Int
    var grade: Int
    var rooms: [Room]
    var owner: Person?
    var tags: [Tag]
    var city: ModelReference<City>?

    static let mapping = Mapping<House>(
      "House", House.init, .key("id", \.id, .unique), .key("grade", \.grade),
      .toMany("rooms", \.rooms, inverse: "house", onDelete: .cascade),
      .toOne("owner", \.owner), .toMany("tags", \.tags),
      .toOne("city", \.city, inverse: "houses")
    )
    .validating("different rooms") { Set($0.rooms.map(\.name)).count == $0.rooms.count }
    .validating("an owner of the grade") { house in
      house.owner.map { $0.low <= house.grade } ?? true
    }
    .validating(\.tags, "tags of at most 10") { $0.reduce(0) { $0 + $1.weight } <= 10 }
    .validating(\.owner, "owner up to 8") { $0.map { $0.high <= 8 } ?? true }
  }

  struct City: MappedModel, Equatable {
    var id: Int
    var limit: Int
    var houses: [House]

    static let mapping = Mapping<City>(
      "City", City.init, .key("id", \.id, .unique), .key("limit", \.limit),
      .toMany("houses", \.houses, inverse: "city")
    ).validating("an area up to the limit") { city in
      city.houses.flatMap(\.rooms).reduce(0) { $0 + $1.size.width * $1.size.height } <= city.limit
    }
  }

  /// A model that contains others of its type. All values of a tree are at most 30.
  struct Node: MappedModel, Equatable {
    var id: Int
    var value: Int
    var children: [Node]
    var parent: ModelReference<Node>?

    var sum: Int { children.reduce(value) { $0 + $1.sum } }

    static let mapping = Mapping<Node>(
      "Node", Node.init, .key("id", \.id, .unique), .key("value", \.value),
      .toMany("children", \.children, inverse: "parent", onDelete: .cascade),
      .toOne("parent", \.parent, inverse: "children")
    )
    .validating("a sum up to 30") { $0.sum <= 30 }
    .validating("children up to the value") { node in
      node.children.allSatisfy { $0.value <= node.value }
    }
  }

  static let models: [any MappedModel.Type] = [City.self, Node.self]

  static func store() throws -> ModelStore { try emptyStore(Schema(models)) }

  /// A house with two rooms and an owner in a city.
  static func filledStore() throws -> ModelStore {
    let store = try store()
    try store.write { writer in
      try writer.save(City(id: 1, limit: 10, houses: []))
      try writer.save(
        House(
          id: 5, grade: 3, rooms: [Room(id: 1, name: 1), Room(id: 2, name: 2)],
          owner: Person(id: 1, low: 1, high: 5), tags: [Tag(id: 1, weight: 4)],
          city: ModelReference(key: 1)))
      try writer.save(Tag(id: 2, weight: 6))
      try writer.save(Room(id: 3, name: 1))
      try writer.save(Node(id: 1, value: 10, children: [], parent: nil))
      try writer.save(Node(id: 2, value: 9, children: [], parent: ModelReference(key: 1)))
      try writer.save(Node(id: 3, value: 8, children: [], parent: ModelReference(key: 2)))
    }
    return store
  }
}
