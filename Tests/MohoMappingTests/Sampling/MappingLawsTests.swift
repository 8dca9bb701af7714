import Foundation
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

private struct Contact: MappedModel {
  var mail: String
  var age: Int

  static let mapping = Mapping<Contact>(
    "Contact", Contact.init, .key("mail", \.mail), .key("age", \.age)
  )
  .validating(\.mail, "address") { $0.contains("@") }
  .validating(\.age, "17 to 20") { (17...20).contains($0) }
}

private struct Team: MappedModel {
  var lead: Contact
  var members: [Contact]
  var deputy: Contact?
  var length: Duration
  var color: Color
  var remark: Remark

  static let mapping = Mapping(
    "Team", Team.init, .key("lead", \.lead), .key("members", \.members),
    .key("deputy", \.deputy),
    .key(
      "length", \.length,
      Transform<Int64>.standard.map(to: { .seconds($0) }, from: { $0.components.seconds })),
    .key("color", \.color, .codable), .key("remark", \.remark))
}

private struct Refused: MappedModel {
  var id: Int
  var name: String?

  static let mapping = Mapping<Refused>(
    "Refused", Refused.init, .key("id", \.id), .key("name", \.name)
  )
  .validating("nothing") { _ in false }
}

private struct Refusing: MappedModel {
  var refused: Refused

  static let mapping = Mapping("Refusing", Refusing.init, .key("refused", \.refused))
}

private struct Outer: MappedModel {
  var inner: Sampleless

  static let mapping = Mapping("Outer", Outer.init, .key("inner", \.inner))
}

private struct Tallied: MappedModel {
  var tally: Tally
  var more: [Tally]
  var none: Tally?

  static func declared(samples: [Tally]) -> Mapping<Tallied> {
    let transform = Transform<Tally>.offset(samples: samples)
    return Mapping(
      "Tallied", Tallied.init, .key("tally", \.tally, transform),
      .key("more", \.more, transform.array), .key("none", \.none, transform))
  }

  static let mapping = declared(samples: [])
}

private struct Ticket: MappedModel {
  var id: UUID

  static let mapping = Mapping("Ticket", Ticket.init, .key("id", \.id))
}

@Suite struct MappingLawsTests {
  @Test func soundMappingsSatisfyTheLaws() {
    #expect(MappingLaws.violations(of: TestModel.self) == [])
    #expect(
      MappingLaws.violations(
        of: TestModel.self,
        samples: [.make(), .make(name: "foo", count: 3, age: 9), .make(nestedName: "n")]) == [])
  }

  @Test func aTransformThatDoesNotRoundTripIsFound() {
    let violations = MappingLaws.violations(of: Lopsided.self)

    #expect(violations.count == 8)
    #expect(
      violations.first == "length changed when it was read back"
        + " - Lopsided(id: 1, length: 3, note: \"sample 3\")")
  }

  @Test func theLawsOfATypeWithoutSamplesRequireModels() {
    #expect(
      MappingLaws.violations(of: Sampleless.self) == [
        "`Sampleless.shade` has no samples: provide samples for its type or transform,"
          + " or pass models to check"
      ])
    #expect(
      MappingLaws.violations(of: Sampleless.self, samples: [Sampleless(shade: .dark)]) == [])
  }

  @Test func samplesDifferAndIncludeNil() {
    let samples = TestModel.mapping.samples(8)

    #expect(samples.count == 8)
    #expect(Set(samples.map(\.count)).count > 4)
    #expect(samples.contains { $0.name == nil })
    #expect(samples.contains { $0.name != nil })
  }

  @Test func samplesOfUUIDsDifferOnlyInTheLastByte() {
    #expect(
      Ticket.mapping.samples(2).map(\.id.uuidString) == [
        "00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002",
      ])
  }

  @Test func modelsWithNestedModelsAndCustomTransformsSatisfyTheLaws() {
    #expect(MappingLaws.violations(of: Team.self) == [])
    #expect(MappingLaws.violations(of: Remark.self) == [])
    #expect(MappingLaws.violations(of: Formula.self) == [])
  }

  @Test func samplesPassTheValidationsOfNestedModels() {
    #expect(Team.mapping.samples(8).count == 8)
    #expect(Team.mapping.samples(8).allSatisfy { (17...20).contains($0.lead.age) })
  }

  @Test func validationsThatFailForEverySampleAreSkipped() {
    #expect(Refused.mapping.samples(8).isEmpty)
    #expect(MappingLaws.violations(of: Refused.self) == [])
  }

  @Test func aNestedModelWhoseValidationsFailForEverySampleIsNamed() {
    #expect(
      MappingLaws.violations(of: Refusing.self) == [
        "the validations of `Refused` fail for every sample: provide samples for its type or"
          + " transform, or pass models to check"
      ])
  }

  @Test func theInnermostKeyWithoutSamplesIsNamed() {
    #expect(
      MappingLaws.violations(of: Outer.self) == [
        "`Sampleless.shade` has no samples: provide samples for its type or transform,"
          + " or pass models to check"
      ])
    #expect(
      MappingLaws.violations(of: Tallied.self).first?.hasPrefix("`Tallied.tally` has no samples")
        == true)
  }

  @Test func aTransformProvidesSamples() {
    let mapping = Tallied.declared(samples: [Tally(number: 2_000_000), Tally(number: 3_000_000)])

    #expect(mapping.samples(4).map(\.tally.number).allSatisfy { $0 > 1_000_000 })
  }
}
