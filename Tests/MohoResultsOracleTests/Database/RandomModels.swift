import MohoMapping

/// Creates models with nested models.
struct RandomModels {
  let hosts: [Int64]

  func network(_ random: inout SeededRandom) -> Network {
    Network(id: 1 + random.below(4), name: RandomStatements.plainName(&random))
  }

  func host(_ random: inout SeededRandom) throws -> Host {
    let mentor = try hosts.isEmpty ? nil : ModelReference<Host>(key: Int(random.pick(hosts)))
    return Host(
      id: 1 + random.below(9), name: RandomStatements.plainName(&random),
      rank: random.chance(1, in: 4) ? nil : random.below(8),
      network: random.chance(1, in: 2) ? network(&random) : nil,
      mentor: random.chance(1, in: 2) ? mentor : nil, mentees: Set(try references(&random)),
      friends: try references(&random), fans: try references(&random))
  }

  private func references(_ random: inout SeededRandom) throws -> [ModelReference<Host>] {
    try hosts.filter { _ in random.chance(1, in: 4) }.map { try ModelReference(key: Int($0)) }
  }

  func show(_ random: inout SeededRandom) throws -> Show {
    Show(
      id: 1 + random.below(12), title: RandomStatements.plainName(&random),
      rank: random.below(8), host: random.chance(1, in: 2) ? try host(&random) : nil,
      guests: Set(try references(&random)),
      episodes: try (0..<random.below(4)).map { _ in try episode(&random) })
  }

  func episode(_ random: inout SeededRandom) throws -> Episode {
    Episode(
      id: 1 + random.below(14), title: RandomStatements.plainName(&random),
      season: random.chance(1, in: 4) ? nil : random.below(4), minutes: random.below(8),
      show: random.chance(1, in: 2) ? try ModelReference(key: 1 + random.below(10)) : nil,
      tags: (0..<random.below(3)).map { _ in tag(&random) },
      notes: (0..<random.below(3)).map { _ in note(&random) })
  }

  func tag(_ random: inout SeededRandom) -> Tag {
    Tag(
      name: RandomStatements.plainName(&random), weight: random.below(8),
      episodes: (0..<random.below(2)).compactMap { _ in
        try? ModelReference(key: 1 + random.below(10))
      })
  }

  func note(_ random: inout SeededRandom) -> Note {
    Note(text: RandomStatements.plainName(&random), weight: random.below(8), episode: nil)
  }
}
