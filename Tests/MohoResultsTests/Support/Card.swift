import MohoMapping
import MohoRows
import StoreTesting

/// A card of a deck, with a rank in it.
struct Card: MappedModel, Equatable {
  var id: Int
  var deck: String?
  var rank: Int
  var title: String
  var note: String?

  static let mapping = Mapping(
    "Card", Card.init,
    .key("id", \.id, .unique),
    .key("deck", \.deck),
    .key("rank", \.rank, .indexed),
    .key("title", \.title),
    .key("note", \.note))

  /// The names of the keys whose values differ.
  func changedKeys(to other: Card) -> [String] {
    var names: [String] = []
    if id != other.id { names.append("id") }
    if deck != other.deck { names.append("deck") }
    if rank != other.rank { names.append("rank") }
    if title != other.title { names.append("title") }
    if note != other.note { names.append("note") }
    return names
  }
}

extension ModelStore {
  /// An in-memory store of three cards in two decks.
  static func cards(rankOfPike: Int = 1) throws -> ModelStore {
    let store = try emptyStore(Card.self)
    try store.write { writer in
      try writer.save([
        Card(id: 1, deck: "birds", rank: 1, title: "Wren"),
        Card(id: 2, deck: "birds", rank: 2, title: "Owl"),
        Card(id: 3, deck: "fish", rank: rankOfPike, title: "Pike"),
      ])
    }
    return store
  }
}
