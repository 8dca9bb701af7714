import Foundation
import MohoMapping
import MohoTesting
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres
@testable import MohoRows

/// Tests that dates are rounded to microseconds in the same way wherever they
/// enter a store.
@Suite(.requiresPostgres)
struct StoredDateTests {
  struct Event: MappedModel {
    var id: Int
    var date: Date

    static let mapping = Mapping(
      "Event", Event.init, .key("id", \.id, .unique), .key("date", \.date))
  }

  /// Dates at and around halves of microseconds, near and far.
  private static func date(_ generator: inout SeededGenerator) -> Date {
    let magnitudes: [Double] = [0, 1, 1e3, 1e6, 1e8, 8e8, 8.5e9, 9e9, 1e10, 1e11, 2e11, 9e12]
    let magnitude = magnitudes[generator.below(magnitudes.count)]
    let sign: Double = generator.oneIn(2) && magnitude < 2e11 ? -1 : 1
    let whole = magnitude + Double(generator.below(1000))
    let fraction = Double(generator.below(2_000_001)) * 0.5e-6
    var seconds = sign * (whole + fraction)
    if generator.oneIn(3) { seconds = seconds.nextUp }
    if generator.oneIn(3) { seconds = seconds.nextDown }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  @Test func `rounding twice is rounding once`() throws {
    for seed in 0..<20_000 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let date = Self.date(&generator)
      let rounded = try PostgresDate.rounded(date)

      #expect(try PostgresDate.rounded(rounded) == rounded, "seed \(seed)")
      let difference = abs(rounded.timeIntervalSince(date))
      #expect(difference <= 0.5e-6 + abs(date.timeIntervalSinceReferenceDate).ulp)
      if abs(date.timeIntervalSinceReferenceDate) > 1e10 { #expect(rounded == date, "\(seed)") }
    }
  }

  @Test func `dates in requests, contexts and rows are the same`() throws {
    let store = try ModelStore(postgres: PostgresServer.shared().emptySchema(), models: Event.self)
    var generator = SeededGenerator(seed: 1)
    let infinities = [Double.infinity, -.infinity].map { Date(timeIntervalSinceReferenceDate: $0) }
    let dates = (0..<60).map { _ in Self.date(&generator) } + infinities
    try store.write { writer in
      try writer.save(dates.enumerated().map { Event(id: $0, date: $1) })
    }

    let context = EditingContext(store)
    let rows = try context.fetch(ModelRequest<Event>().order(by: \.id).rows)
    for (row, date) in zip(rows, dates) {
      try row.set("date", to: .date(Date(timeIntervalSinceReferenceDate: -1)))
      try row.set("date", to: .date(date))
      #expect(row.changedKeys == [], "\(date.timeIntervalSinceReferenceDate)")
    }
    let subjects = rows.map { ContextRowSubject(context, $0.handle) }
    for (id, date) in dates.enumerated() {
      let name: Comment = "\(date.timeIntervalSinceReferenceDate)"
      let requests = [
        ModelRequest<Event>().filter { $0.date == date },
        ModelRequest<Event>().filter { $0.date.isOne(of: [date, .distantPast]) },
        ModelRequest<Event>().filter { $0.date.isBetween(date...date) },
        ModelRequest<Event>().filter { $0.date >= date && !($0.date > date) },
        ModelRequest<Event>().filter { $0.date + 0 == date },
      ]
      for request in requests {
        let stored = try store.fetchIdentities(request)
        #expect(stored.contains(Int64(id)), name)
        let evaluator = try RequestEvaluator(request.rows, in: store.schema)
        let evaluated = evaluator.result(of: subjects).map { context.graph[$0.row].identity.stored }
        #expect(evaluated == stored, name)
      }
    }
  }

  @Test func `a date that no column stores is an error that names the key`() throws {
    let store = try ModelStore(postgres: PostgresServer.shared().emptySchema(), models: Event.self)
    for seconds in [-1e12, 1e13, 1e300, .nan] {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let error = #expect(throws: (any Error).self) {
        try store.write { try $0.save(Event(id: 1, date: date)) }
      }
      #expect("\(error.map { "\($0)" } ?? "")".contains("`Event.date`"), "\(seconds)")

      let context = EditingContext(store)
      let saving = #expect(throws: (any Error).self) {
        let row = try context.insert("Event")
        try row.set("id", to: .int64(2))
        try row.set("date", to: .date(date))
        try context.save()
      }
      #expect("\(saving.map { "\($0)" } ?? "")".contains("date"), "\(seconds)")
    }
    try store.write { try $0.save(Event(id: 1, date: .now)) }
    let later = Date(timeIntervalSinceReferenceDate: 1e13)
    #expect(try store.fetchIdentities(ModelRequest<Event>().filter { $0.date < later }) == [1])
    #expect(try store.fetchIdentities(ModelRequest<Event>().filter { $0.date == later }) == [])
  }
}
