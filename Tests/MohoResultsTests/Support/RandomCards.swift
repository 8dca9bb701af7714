import MohoRows
import MohoTesting
import StoreTesting

/// Random transactions on a store, and the expected cards after each.
struct RandomCards {
  private(set) var cards: [Int: Card] = [:]
  private var generator: SeededGenerator
  private var nextID = 1

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Executes one transaction of a random kind.
  mutating func commit(to store: ModelStore) throws {
    switch generator.below(20) {
    case 0: try rollBack(store)
    case 1: try rollBackPart(store)
    case 2: try replace(store)
    case 3: try updateInSQL(store)
    case 4: try rewrite(store)
    case 6: try undoCalls(store)
    case 5: if generator.oneIn(5) { try deleteAll(store) }
    default: try save(store)
    }
  }

  private mutating func save(_ store: ModelStore) throws {
    var changed: [Int: Card] = [:]
    var deleted: [Card] = []
    for _ in 0...generator.below(generator.oneIn(10) ? 20 : 4) {
      let isFull = cards.count >= 30
      if cards.isEmpty || (!isFull && generator.oneIn(3)) {
        let card = makeCard()
        changed[card.id] = card
        cards[card.id] = card
      } else if let card = randomCard(), isFull || generator.oneIn(4) {
        cards[card.id] = nil
        changed[card.id] = nil
        deleted.append(card)
      } else if var card = randomCard() {
        edit(&card)
        cards[card.id] = card
        changed[card.id] = card
      }
    }
    let (saved, deletedCards) = (changed.values.sorted { $0.id < $1.id }, deleted)
    try store.write { writer in
      try writer.save(saved)
      try writer.delete(deletedCards)
    }
  }

  private struct Rollback: Error {}

  private mutating func rollBack(_ store: ModelStore) throws {
    let card = makeCard()
    do {
      try store.write { writer in
        try writer.save(card)
        try writer.delete(ModelRequest<Card>())
        throw Rollback()
      }
    } catch is Rollback {}
  }

  private mutating func rollBackPart(_ store: ModelStore) throws {
    let (saved, discarded) = (makeCard(), makeCard())
    try store.write { writer in
      try writer.save(saved)
      do {
        try store.write { inner in
          try inner.delete(ModelRequest<Card>().filter { $0.rank < 10 })
          try inner.save(discarded)
          throw Rollback()
        }
      } catch is Rollback {}
    }
    cards[saved.id] = saved
  }

  /// Saves cards before and after calls that undo their changes.
  private mutating func undoCalls(_ store: ModelStore) throws {
    let (first, discarded, last) = (makeCard(), makeCard(), makeCard())
    var planned = [discarded]
    if var card = randomCard() {
      edit(&card)
      planned.append(card)
    }
    let (models, plansFirst) = (planned, generator.oneIn(2))
    try store.write { writer in
      try writer.save(first)
      if plansFirst { _ = try writer.plan(saving: models) }
      try writer.executeUndone("UPDATE \"Card\" SET rank = rank + 1, note = title")
      if !plansFirst { _ = try writer.plan(saving: models) }
      try writer.save(last)
    }
    for card in [first, last] { cards[card.id] = card }
  }

  private mutating func replace(_ store: ModelStore) throws {
    guard var card = randomCard() else { return }
    edit(&card)
    let replacement = card
    func literal(_ text: String?) -> String { text.map { "'\($0)'" } ?? "NULL" }
    try store.execute(
      TestedSQL.replace(
        "Card", ["id", "deck", "rank", "title", "note"],
        [
          "\(replacement.id)", literal(replacement.deck), "\(replacement.rank)",
          literal(replacement.title), literal(replacement.note),
        ]))
    cards[card.id] = card
  }

  private mutating func updateInSQL(_ store: ModelStore) throws {
    let rank = generator.below(20)
    try store.execute(
      "UPDATE \"Card\" SET rank = 19 - rank, note = title WHERE rank > \(rank)")
    for (id, card) in cards where card.rank > rank {
      cards[id]?.rank = 19 - card.rank
      cards[id]?.note = card.title
    }
  }

  /// Writes rows without changing them, and changes the ID of one row.
  private mutating func rewrite(_ store: ModelStore) throws {
    let moved = randomCard()
    let id = nextID
    nextID += 1
    let move = moved.map { "UPDATE \"Card\" SET id = \(id) WHERE id = \($0.id)" } ?? ""
    try store.execute(
      """
      UPDATE "Card" SET title = title, rank = rank + 1;
      UPDATE "Card" SET rank = rank - 1;
      \(move)
      """)
    if let moved {
      cards[moved.id] = nil
      cards[id] = Card(
        id: id, deck: moved.deck, rank: moved.rank, title: moved.title, note: moved.note)
    }
  }

  private mutating func deleteAll(_ store: ModelStore) throws {
    try store.execute("DELETE FROM \"Card\"")
    cards = [:]
  }

  private mutating func makeCard() -> Card {
    defer { nextID += 1 }
    var card = Card(id: nextID, deck: nil, rank: 0, title: "", note: nil)
    for _ in 0..<4 { edit(&card) }
    return card
  }

  private mutating func edit(_ card: inout Card) {
    switch generator.below(5) {
    case 0: card.deck = generator.oneIn(4) ? nil : ["A", "B", "C", "D"][generator.below(4)]
    case 1: card.rank = generator.below(20)
    case 2: card.title = "title \(generator.below(15))"
    case 3: card.note = generator.oneIn(2) ? nil : "note \(generator.below(3))"
    default:
      card.rank = generator.below(20)
      card.title = "title \(generator.below(15))"
    }
  }

  private mutating func randomCard() -> Card? {
    cards.keys.sorted().randomElement(using: &generator).flatMap { cards[$0] }
  }
}
