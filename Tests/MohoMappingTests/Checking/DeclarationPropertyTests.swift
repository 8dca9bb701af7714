import Campaigns
import Foundation
import MohoMapping
import Testing

/// Declares every kind of key together with another kind, with every order of
/// arguments, correctly and swapped. Campaigns use all kinds, and with
/// `MOHO_DECLARATIONS=all`, every kind is combined with every other kind.
@Suite struct DeclarationPropertyTests {
  @Test func everySwapAndNoSoundDeclarationIsAnIssue() throws {
    let others = try KeyKinds.others()
    let isWhole = ProcessInfo.processInfo.environment["MOHO_DECLARATIONS"] == "all"
    var checked = 0
    let step = isWhole || Campaign.isRunning ? 1 : 5
    for (index, twin) in try KeyKinds.all().enumerated() where index.isMultiple(of: step) {
      for other in isWhole ? others : [others[index % others.count]] {
        try check(twin, other, &checked)
      }
    }
    #expect(checked > 4_500 / step)
    if isWhole { print("\(checked) declarations") }
  }

  private func check<Twin: KeyKind, Other: KeyKind>(
    _ twin: Twin, _ other: Other, _ checked: inout Int
  ) throws {
    for order in ArgumentOrder.allCases {
      for isReversed in [false, true] {
        let sound = order.mapping(twin, other, isReversed: isReversed, isSwapped: false)
        let swapped = order.mapping(twin, other, isReversed: isReversed, isSwapped: true)
        let what = "\(twin.name), \(other.name), \(order), reversed: \(isReversed)"
        checkSound(sound, twin, other, what)
        checkSwapped(swapped, sound, twin, other, what)
        checkShared(order.shared(twin, other, isReversed: isReversed), sound, twin, other, what)
        checked += 3
      }
    }
  }

  private func checkSound<Twin: KeyKind, Other: KeyKind>(
    _ mapping: Mapping<Trio<Twin.Value, Other.Value>>, _ twin: Twin, _ other: Other,
    _ what: String
  ) {
    #expect(mapping.issues == [], "\(what)")
    if twin.isSampled && other.isSampled { #expect(mapping.notes == [], "\(what)") }
    for model in models(twin, other) {
      do {
        let contents = try contents(of: model, by: mapping)
        let again = try mapping.model(from: ContentDecoder(contents))
        #expect(mapping.areEqual(again, model), "\(what)")
      } catch {
        Issue.record(error, "\(what)")
      }
    }
    #expect(mapping.issues == [], "\(what)")
  }

  private func checkSwapped<Twin: KeyKind, Other: KeyKind>(
    _ mapping: Mapping<Trio<Twin.Value, Other.Value>>,
    _ sound: Mapping<Trio<Twin.Value, Other.Value>>,
    _ twin: Twin, _ other: Other, _ what: String
  ) {
    if twin.isSampled && other.isSampled { #expect(mapping.notes == [], "\(what)") }
    #expect(mapping.issues.count == 2 || !mapping.notes.isEmpty, "\(what)")
    for model in models(twin, other) {
      let error = #expect(throws: MappingError.self, "\(what)") {
        try mapping.model(from: ContentDecoder(contents(of: model, by: sound)))
      }
      #expect(error?.code == .invalidDeclaration, "\(what): \(String(describing: error))")
    }
    #expect(mapping.issues.count == 2, "\(what)")
  }

  /// Checks a declaration with one property for two keys.
  private func checkShared<Twin: KeyKind, Other: KeyKind>(
    _ mapping: Mapping<Trio<Twin.Value, Other.Value>>,
    _ sound: Mapping<Trio<Twin.Value, Other.Value>>,
    _ twin: Twin, _ other: Other, _ what: String
  ) {
    if twin.isSampled && other.isSampled { #expect(mapping.issues.count == 1, "\(what)") }
    #expect(mapping.issues.count == 1 || !mapping.notes.isEmpty, "\(what)")
    // Reading shows what samples do not.
    for model in models(twin, other) {
      let error = #expect(throws: MappingError.self, "\(what)") {
        try mapping.model(from: ContentDecoder(contents(of: model, by: sound)))
      }
      #expect(error?.code == .invalidDeclaration, "\(what): \(String(describing: error))")
    }
    let issues = mapping.issues.map(\.description)
    #expect(issues.count == 1, "\(what)")
    let both = issues.first?.contains(/^`(one` and `two|two` and `one)` are both mapped/)
    #expect(both == true, "\(what): \(issues)")
  }

  private func models<Twin: KeyKind, Other: KeyKind>(
    _ twin: Twin, _ other: Other
  ) -> [Trio<Twin.Value, Other.Value>] {
    let (one, two) = twin.values
    return [
      Trio(one: one, two: two, other: other.values.0),
      Trio(one: two, two: one, other: other.values.1),
    ]
  }

  private func contents<Model>(
    of model: Model, by mapping: Mapping<Model>
  ) throws -> [FieldContent?] {
    let recorder = FieldRecorder()
    try mapping.encode(model, to: recorder)
    return recorder.contents
  }
}

/// The position of the other key among the arguments.
private enum ArgumentOrder: CaseIterable {
  case first, second, third

  func mapping<Twin: KeyKind, Other: KeyKind>(
    _ twin: Twin, _ other: Other, isReversed: Bool, isSwapped: Bool
  ) -> Mapping<Trio<Twin.Value, Other.Value>> {
    typealias Model = Trio<Twin.Value, Other.Value>
    // If both are true, the closure takes the second value first, as declared.
    let isExchanged = isReversed != isSwapped
    let make: @Sendable (Twin.Value, Twin.Value, Other.Value) -> Model = { one, two, other in
      isExchanged
        ? Model(one: two, two: one, other: other) : Model(one: one, two: two, other: other)
    }
    let one: KeyMapping<Model, Twin.Value> = twin.key("one", \.one)
    let two: KeyMapping<Model, Twin.Value> = twin.key("two", \.two)
    return mapping(isReversed ? (two, one) : (one, two), other, make)
  }

  /// A mapping in which both keys of a type have the first property.
  func shared<Twin: KeyKind, Other: KeyKind>(
    _ twin: Twin, _ other: Other, isReversed: Bool
  ) -> Mapping<Trio<Twin.Value, Other.Value>> {
    typealias Model = Trio<Twin.Value, Other.Value>
    let make: @Sendable (Twin.Value, Twin.Value, Other.Value) -> Model = { one, two, other in
      isReversed
        ? Model(one: two, two: one, other: other) : Model(one: one, two: two, other: other)
    }
    let one: KeyMapping<Model, Twin.Value> = twin.key("one", \.one)
    let two: KeyMapping<Model, Twin.Value> = twin.key("two", \.one)
    return mapping(isReversed ? (two, one) : (one, two), other, make)
  }

  private func mapping<Twin: Sendable, Other: KeyKind>(
    _ twins: (KeyMapping<Trio<Twin, Other.Value>, Twin>, KeyMapping<Trio<Twin, Other.Value>, Twin>),
    _ other: Other,
    _ make: @escaping @Sendable (Twin, Twin, Other.Value) -> Trio<Twin, Other.Value>
  ) -> Mapping<Trio<Twin, Other.Value>> {
    let (former, latter) = twins
    let third: KeyMapping<Trio<Twin, Other.Value>, Other.Value> = other.key("other", \.other)
    switch self {
    case .first: return Mapping("Trio", { make($1, $2, $0) }, third, former, latter)
    case .second: return Mapping("Trio", { make($0, $2, $1) }, former, third, latter)
    case .third: return Mapping("Trio", make, former, latter, third)
    }
  }
}
