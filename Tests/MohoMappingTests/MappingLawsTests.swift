import MohoMapping
import MohoTesting
import Testing

private struct Lopsided: MappedModel {
  var id: Int
  var length: Int
  var note: String?

  static let mapping = Mapping(
    "Lopsided", Lopsided.init,
    .key("id", \.id),
    .key("length", \.length, Transform<Int>.standard.map(to: { $0 + 1 }, from: { $0 })),
    .key("note", \.note, Transform<String>.standard.map(to: { $0 }, from: { $0 })))
}

private struct Sampleless: MappedModel {
  enum Shade: String, FieldValue { case dark }
  var shade: Shade

  static let mapping = Mapping("Sampleless", Sampleless.init, .key("shade", \.shade))
}

@Suite struct MappingLawsTests {
  @Test func soundMappingsKeepTheLaws() {
    #expect(MappingLaws.violations(of: TestModel.self) == [])
    #expect(
      MappingLaws.violations(
        of: TestModel.self,
        samples: [.make(), .make(name: "foo", count: 3, age: 9), .make(nestedName: "n")]) == [])
  }

  @Test func aTransformThatIsNoWayBackIsFound() {
    let violations = MappingLaws.violations(of: Lopsided.self)

    #expect(violations.count == 8)
    #expect(
      violations.first == "length changed when it was read back"
        + " - Lopsided(id: 1, length: 3, note: \"sample 3\")")
  }

  @Test func aTypeWithoutSamplesNeedsModels() {
    #expect(
      MappingLaws.violations(of: Sampleless.self) == [
        "`Sampleless` has a key without samples: give models to check the laws on"
      ])
    #expect(
      MappingLaws.violations(of: Sampleless.self, samples: [Sampleless(shade: .dark)]) == [])
  }

  @Test func samplesDifferAndHaveNilWhereTheyMay() {
    let samples = TestModel.mapping.samples(8)

    #expect(samples.count == 8)
    #expect(Set(samples.map(\.count)).count > 4)
    #expect(samples.contains { $0.name == nil })
    #expect(samples.contains { $0.name != nil })
  }
}
