import Campaigns
import Foundation
import MohoJSON
import MohoMapping
import Testing

/// Random documents, most of them slightly damaged, decode alike in every way.
///
/// `MOHO_FUZZ_CASES=1000000 swift test --filter FuzzTests` runs longer, and
/// `MOHO_FUZZ_SEED` is the first seed. A failure contains its seed.
@Suite struct FuzzTests {
  private static let seeds = Campaign.seeds(
    from: "MOHO_FUZZ_SEED", count: Campaign.count("MOHO_FUZZ_CASES", short: 400, full: 3_000))

  @Test func rootArraysAreReadAlikeInEveryWay() async throws {
    for seed in Self.seeds {
      var document = RandomDocument(seed: seed)
      let text = document.array()
      try await check(
        seed.isMultiple(of: 4) ? text : document.mutation(of: text), at: nil, seed: seed)
    }
  }

  @Test func arraysAtAPathAreReadAlikeInEveryWay() async throws {
    for seed in Self.seeds {
      var document = RandomDocument(seed: seed)
      let text = document.feed()
      try await check(
        seed.isMultiple(of: 4) ? text : document.mutation(of: text), at: "feed.items", seed: seed)
    }
  }

  @Test func valuesOfDocumentsReadBackEqual() throws {
    for seed in Self.seeds {
      var document = RandomDocument(seed: seed)
      let text = document.feed()
      let bytes = seed.isMultiple(of: 2) ? text : document.mutation(of: text)
      guard let value = try? JSONDocument(parsing: Data(bytes)).value() else { continue }

      let again = try JSONDocument(parsing: value.data()).value()
      #expect(again == value, comment(seed, bytes))
    }
  }

  @Test func linesAreReadAsDocuments() async {
    for seed in Self.seeds {
      var document = RandomDocument(seed: seed)
      let lines = (0..<4).map { _ in document.array().filter { $0 != UInt8(ascii: "\n") } }
      let text = document.mutation(of: Array(lines.joined(separator: [UInt8(ascii: "\n")])))

      let documents = text.split(separator: UInt8(ascii: "\n")).map { line in
        Outcome(parsing: { _ = try JSONDocument(parsing: Data(line)) })
      }
      let broken = documents.firstIndex { $0.isSyntax }
      let outcome = await StreamOutcome(JSONAdapter<FuzzEpisode>(), text, as: .lines)
      #expect((broken != nil) == (outcome.error != .none), comment(seed, text))
      let count = outcome.models.count + outcome.failures.count
      #expect(
        count == documents[..<(broken ?? documents.count)].count { $0 == .none },
        comment(seed, text))
    }
  }

  private func comment(_ seed: UInt64, _ text: [UInt8]) -> Comment {
    "seed \(seed): \(String(decoding: text, as: UTF8.self))"
  }

  private func check(_ bytes: [UInt8], at path: FieldPath?, seed: UInt64) async throws {
    let adapter = JSONAdapter<FuzzEpisode>()
    let data = Data(bytes)

    let whole = Outcome {
      try adapter.lossyModels(from: JSONDocument(parsing: data), at: path)
    }
    let walked = Outcome { try adapter.lossyModels(from: data, at: path) }
    #expect(walked == whole, comment(seed, bytes))
    #expect(whole.offsets.allSatisfy { 0...bytes.count ~= $0 }, comment(seed, bytes))

    // A stream ends at a missing array, without reading the rest of the text.
    let streamed = await StreamOutcome(
      adapter, bytes, as: path.map { StreamLayout.array(at: $0) } ?? .rootArray)
    #expect(streamed.error.offsets.allSatisfy { 0...bytes.count ~= $0 }, comment(seed, bytes))
    if case .read(let reading) = whole {
      #expect(streamed.error == .none, comment(seed, bytes))
      #expect(streamed.models == reading.models, comment(seed, bytes))
      #expect(streamed.failures == reading.failures.map(\.description), comment(seed, bytes))
    } else {
      #expect(streamed.error != .none, comment(seed, bytes))
    }

    guard case .read(let reading) = whole else { return }
    let written = try adapter.data(from: reading.models)
    #expect(try adapter.models(from: written) == reading.models, comment(seed, bytes))
  }
}

/// The result of decoding a document.
private enum Outcome: Equatable {
  case none
  case read(LossyModels<FuzzEpisode>)
  case notJSON(JSONError)
  case wrong(String)
  case other

  init(_ body: () throws -> LossyModels<FuzzEpisode>) {
    do {
      self = .read(try body())
    } catch {
      self.init(error)
    }
  }

  init(parsing body: () throws -> Void) {
    do {
      try body()
      self = .none
    } catch {
      self.init(error)
    }
  }

  init(_ error: any Error) {
    switch error {
    case let error as JSONError: self = .notJSON(error)
    case let error as MappingError: self = .wrong(error.description)
    default: self = .other
    }
  }

  /// Whether the text is invalid and not empty.
  var isSyntax: Bool {
    if case .notJSON(let error) = self { error.code != .emptyInput } else { false }
  }

  /// The offsets of all errors, -1 for an error without one.
  var offsets: [Int] {
    switch self {
    case .read(let reading):
      reading.failures.flatMap(\.error.errors).map { $0.position?.offset ?? -1 }
    case .notJSON(let error): [error.offset]
    case .none, .wrong: []
    case .other: [-1]
    }
  }
}

/// The result of streaming a document.
private struct StreamOutcome {
  var models: [FuzzEpisode] = []
  var failures: [String] = []
  var error = Outcome.none

  init(_ adapter: JSONAdapter<FuzzEpisode>, _ bytes: [UInt8], as layout: StreamLayout) async {
    do {
      for try await element in adapter.elements(from: ByteSequence(bytes), as: layout) {
        switch element.result {
        case .success(let model): models.append(model)
        case .failure(let error): failures.append(error.description)
        }
      }
    } catch {
      self.error = Outcome(error)
    }
  }
}
