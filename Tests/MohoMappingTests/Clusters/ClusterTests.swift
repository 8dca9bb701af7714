import MohoMapping
import MohoTesting
import Testing

private struct Circle: MappedModel, Equatable {
  var radius: Int
  static let mapping = Mapping("Circle", Circle.init, .key("radius", \.radius))
}

private struct Square: MappedModel, Equatable {
  var side: Int
  static let mapping = Mapping("Square", Square.init, .key("side", \.side, json: "type.side"))
}

private enum Shape: MappedModel, Equatable {
  case circle(Circle)
  case point
  case hidden

  static let mapping = Mapping<Shape>(
    "Shape", discriminator: "type",
    .variant("circle", Shape.circle) { if case .circle(let model) = $0 { model } else { nil } },
    .variant("point", Shape.point) { $0 == .point })
}

private indirect enum Knot: MappedModel {
  case knot(Knot)
  case end

  static let mapping = Mapping<Knot>(
    "Knot", discriminator: "type",
    .variant("knot", Knot.knot) { if case .knot(let knot) = $0 { knot } else { nil } })
}

@Suite struct ClusterTests {
  private let circle = Shape.circle(Circle(radius: 2))

  @Test func aClusterHasTwoKeys() {
    #expect(Shape.mapping.issues == [])
    #expect(Shape.mapping.keys.map(\.name) == ["type", "fields"])
    #expect(Shape.mapping.keys.map(\.isInlined) == [false, true])
    #expect(Shape.mapping.key(for: \Shape.self)?.name == "fields")
  }

  @Test func issuesOfAClusterAreReportedTogether() {
    let mapping = Mapping<Shape>(
      "", discriminator: "a..b",
      .variant("x", Shape.point) { $0 == .point },
      .variant("x", Shape.hidden) { $0 == .hidden },
      .variant(when: { _ in true }, Shape.circle) { _ in nil },
      .unknown({ _ in .point }, tag: { _ in nil }),
      .unknown({ _ in .point }, tag: { _ in nil }))

    #expect(
      mapping.issues.map(\.description) == [
        "the mapping has no name",
        "the discriminator: the path `a..b` has an empty component",
        #"two variants have the discriminator value "x""#,
        "two variants accept unknown values",
        "the variant `Circle` has no value of the discriminator",
      ])
    #expect(
      Mapping<Shape>("Shape", choosing: .variant("x", Shape.point) { $0 == .point })
        .issues.map(\.description) == ["a variant has no condition"])
    #expect(
      Mapping<Shape>("Shape", discriminator: "type").issues.map(\.description)
        == ["the cluster has no variants"])
  }

  @Test func aVariantCannotHaveAPathInsideTheDiscriminator() {
    let mapping = Mapping<Shape>(
      "Shape", discriminator: "type",
      .variant("square", { (_: Square) in Shape.point }, payload: { _ in nil }))

    #expect(
      mapping.issues.map(\.description) == [
        "`type` is mapped to `type` and `Square.side` to `type.side`:"
          + " one path is inside the other"
      ])
  }

  @Test func aClusterThatIsItsOwnVariantIsAnIssue() {
    #expect(Knot.mapping.issues.map(\.description) == ["`Knot` is inlined in itself"])
  }

  @Test func aModelOfNoVariantIsNotWritten() {
    let error = #expect(throws: MappingError.self) {
      try Shape.mapping.encode(.hidden, to: FieldRecorder())
    }

    #expect(
      error?.description == #"invalid value: model of no variant, expected one of "circle", "#
        + #""point" - `Shape.type`"#)
  }

  @Test func aPartialModelHasTheWholeClusterOrNothing() {
    var partial = Partial<Shape>()
    #expect(partial.applied(to: .point) == .point)

    partial[\.self] = circle
    #expect(partial.keys.map(\.name) == ["type", "fields"])
    #expect(partial[\.self] == circle)
    #expect(partial.applied(to: .point) == circle)

    #expect(Partial(from: circle, to: .point).applied(to: circle) == .point)
    #expect(Partial(from: circle, to: circle).isEmpty)
    #expect(partial.removing(\.self).isEmpty)
  }

  @Test func clustersAreComparedMergedAndValidatedAsAWhole() throws {
    let mapping = Shape.mapping
      .merging(\.self, .stored)
      .validating(\.self, "anything but a point") { $0 != .point }

    #expect(Shape.mapping.areEqual(circle, circle))
    #expect(!Shape.mapping.areEqual(circle, .point))
    #expect(mapping.merge(.point, into: circle) == circle)
    #expect(throws: MappingError.self) { try mapping.validated(.point) }
    #expect(try mapping.validated(circle) == circle)
    #expect(Shape.mapping.description(of: circle) == #"Shape(type: "circle", fields: [2])"#)
  }

  @Test func samplesIncludeEveryVariant() {
    #expect(Shape.mapping.samples(4).contains(.point))
    #expect(Shape.mapping.samples(4).contains { $0 != .point })
    #expect(MappingLaws.violations(of: Shape.self) == [])
  }
}
