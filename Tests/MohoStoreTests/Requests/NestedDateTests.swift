import Foundation
import MohoMapping
import MohoRows
import MohoTesting
import StoreTesting
import Testing

private struct Moment: MappedModel, Hashable {
  var iso: Date
  var day: Date
  var seconds: Date
  var milliseconds: Date
  var any: Date

  static let mapping = Mapping(
    "Moment", Moment.init, .key("iso", \.iso), .key("day", \.day, .iso8601Date),
    .key("seconds", \.seconds, .epochSeconds),
    .key("milliseconds", \.milliseconds, .epochMilliseconds),
    .key("any", \.any, .dates(.epochSeconds, .iso8601)))
}

private struct Entry: MappedModel, Hashable {
  var id: Int
  var moment: Moment

  static let mapping = Mapping(
    "Entry", Entry.init, .key("id", \.id, .unique), .key("moment", \.moment))
}

/// Dates of nested models, which are stored in the formats of documents.
@Suite(.allEngines) struct NestedDateTests {
  private static let seed: UInt64 = 20_010_101

  /// Returns a date of the years 0 to 9999.
  private static func date(_ generator: inout SeededGenerator) -> Date {
    let seconds: Double =
      switch generator.below(5) {
      case 0: Double.random(in: -9...9, using: &generator)
      case 1: Double.random(in: -1e-3...1e-3, using: &generator)
      case 2: Double.random(in: 0...1e9, using: &generator).rounded()
      case 3: Double.random(in: 0...1e9, using: &generator)
      default: Double.random(in: -6e10...2.5e11, using: &generator)
      }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  @Test func `dates have every digit that their text has`() throws {
    let store = try emptyStore(Entry.self)
    var generator = SeededGenerator(seed: Self.seed)
    let entries = (1...200).map { id in
      let date = Self.date(&generator)
      return Entry(
        id: id,
        moment: Moment(iso: date, day: date, seconds: date, milliseconds: date, any: date))
    }
    try store.write { try $0.save(entries) }
    let request = ModelRequest<Entry>().order(by: \.id)

    let fetched = try store.fetch(request)
    let values = try store.fetchValues(request) {
      [
        $0.moment.iso, $0.moment.day, $0.moment.seconds, $0.moment.milliseconds, $0.moment.any,
      ]
    }

    for (entry, row) in zip(fetched, values) {
      let moment = entry.moment
      let dates = [moment.iso, moment.day, moment.seconds, moment.milliseconds, moment.any]
      #expect(row.values == dates.map { .date($0) }, "seed \(Self.seed), \(entry)")
    }
  }

  @Test func `a date finds the row that it was saved in`() throws {
    let store = try emptyStore(Entry.self)
    var generator = SeededGenerator(seed: Self.seed + 1)
    for _ in 0..<40 {
      let date = Self.date(&generator)
      let moment = Moment(iso: date, day: date, seconds: date, milliseconds: date, any: date)
      try store.write { try $0.save(Entry(id: 1, moment: moment)) }

      let request = ModelRequest<Entry>().filter {
        $0.moment.iso == date && $0.moment.day == date && $0.moment.seconds == date
          && $0.moment.milliseconds == date && $0.moment.any.isOne(of: [date])
      }

      #expect(try store.exists(request), "seed \(Self.seed + 1), \(date)")
      let evaluator = try RequestEvaluator(request, in: store.schema)
      #expect(try !evaluator.result(of: StoredRows(store)["Entry"]).isEmpty)
    }
  }
}
