import Foundation
import MohoJSON
import MohoMapping
import MohoTesting
import Testing

private struct Chocolate: MappedModel, Equatable {
  var bitterness: UInt

  static let mapping = Mapping(
    "Chocolate", Chocolate.init,
    .key("bitterness", \.bitterness, json: "chocolate_bitterness", .text))
}

private struct Strawberry: MappedModel, Equatable {
  var freshness: UInt
  var flavor: String

  static let mapping = Mapping(
    "Strawberry", Strawberry.init, .key("freshness", \.freshness, json: "strawberry_freshness"),
    .key("flavor", \.flavor))
}

private enum Flavor: MappedModel, Equatable {
  case chocolate(Chocolate)
  case strawberry(Strawberry)

  static let mapping = Mapping<Flavor>(
    "Flavor", discriminator: "flavor",
    .variant("chocolate", Flavor.chocolate) {
      if case .chocolate(let model) = $0 { model } else { nil }
    },
    .variant("strawberry", Flavor.strawberry) {
      if case .strawberry(let model) = $0 { model } else { nil }
    })
}

private enum Subst: MappedModel, Equatable {
  case test(TestModel)

  static let mapping = Mapping<Subst>(
    "Subst",
    choosing: .variant(when: { $0.has("username") }, Subst.test) {
      if case .test(let model) = $0 { model } else { nil }
    })
}

private struct Scoop: MappedModel, Equatable {
  var flavors: [Flavor]
  var top: Flavor?
  var named: [String: Flavor]

  static let mapping = Mapping(
    "Scoop", Scoop.init, .key("flavors", \.flavors), .key("top", \.top), .key("named", \.named))
}

private struct Group: MappedModel, Equatable {
  var shapes: [Shape]
  var size: Int?

  static let mapping = Mapping(
    "Group", Group.init, .key("shapes", \.shapes), .key("size", \.size, json: "meta.size"))
}

private indirect enum Shape: MappedModel, Equatable {
  case empty
  case group(Group)
  case other(String)

  static let mapping = Mapping<Shape>(
    "Shape", discriminator: "meta.type",
    .variant("empty", Shape.empty) { if case .empty = $0 { true } else { false } },
    .variant("group", Shape.group) { if case .group(let group) = $0 { group } else { nil } },
    .unknown(Shape.other) { if case .other(let type) = $0 { type } else { nil } })
}

private struct Order: MappedModel, Equatable {
  var id: Int
  var flavor: Flavor?
  var note: String?

  static let mapping = Mapping(
    "Order", Order.init, .key("id", \.id), .inlined("flavor", \.flavor), .key("note", \.note))
}

@Suite struct ClusterTests {
  private let flavors = JSONAdapter<Flavor>()
  private let chocolate = Flavor.chocolate(Chocolate(bitterness: 100))
  private let strawberry = Flavor.strawberry(Strawberry(freshness: 3, flavor: "strawberry"))

  private func messages<Model: MappedModel>(_ model: Model.Type, _ json: String) -> [String] {
    MohoJSONTests.messages { _ = try JSONAdapter<Model>().model(from: Data(json.utf8)) }
  }

  @Test func theFieldsChooseTheVariant() throws {
    let adapter = JSONAdapter<Subst>()
    let json = #"{"username":"foo","count":"0","nested":{"name":"bar"}}"#

    let model = try adapter.model(from: Data(json.utf8))

    #expect(model == .test(TestModel(name: "foo", count: 0, nestedName: "bar")))
    #expect(try adapter.data(from: model).text == json)
    #expect(
      messages(Subst.self, #"{"count":"0"}"#)
        == ["invalid value: object, expected `TestModel` - `Subst` at /"])
  }

  @Test func theDiscriminatorIsWrittenBeforeTheVariantsKeys() throws {
    #expect(
      try flavors.data(from: chocolate).text
        == #"{"flavor":"chocolate","chocolate_bitterness":"100"}"#)
  }

  @Test func theDiscriminatorChoosesTheVariant() throws {
    let json = #"{"chocolate_bitterness":"100","flavor":"chocolate"}"#

    #expect(try flavors.model(from: Data(json.utf8)) == chocolate)
  }

  @Test func aModelNeedsNoBaseType() throws {
    struct Named: MappedModel {
      var name: String
      static let mapping = Mapping("Named", Named.init, .key("name", \.name))
    }

    #expect(
      try JSONAdapter<Named>().model(from: Data(#"{"name":"foo"}"#.utf8)).name == "foo")
  }

  @Test(arguments: ["[]": "array", "5": "number 5", "true": "true", "null": "null"])
  func rootsThatAreNotObjectsAreErrorsBeforeUnknownKeys(root: (String, String)) {
    #expect(
      messages(Subst.self, root.0)
        == ["invalid type: \(root.1), expected object - `Subst` at /"])
    #expect(
      messages(Flavor.self, root.0)
        == ["invalid type: \(root.1), expected object - `Flavor` at /"])
  }

  @Test func invalidDiscriminatorsAreErrors() {
    #expect(
      messages(Flavor.self, #"{"flavor":"mint"}"#) == [
        #"invalid value: string "mint", expected one of "chocolate", "strawberry""#
          + " - `Flavor.flavor` at /flavor"
      ])
    #expect(
      messages(Flavor.self, #"{"Flavor":"mint"}"#)
        == ["missing value for `Flavor.flavor` at /flavor; did you mean `Flavor`?"])
    #expect(
      messages(Flavor.self, #"{"flavor":1}"#)
        == ["invalid type: number 1, expected string - `Flavor.flavor` at /flavor"])
    #expect(
      messages(Flavor.self, #"{"flavor":null}"#)
        == ["unexpected null: null, expected string - `Flavor.flavor` at /flavor"])
  }

  @Test func everyErrorOfEveryVariantIsFound() throws {
    let json = #"""
      {"flavors": [{"flavor": "strawberry"}, {"flavor": "mint"}, 5,
                   {"flavor": "chocolate", "chocolate_bitterness": "x"}],
       "top": {"flavor": "strawberry", "strawberry_freshness": -1}, "named": {}}
      """#

    let error = #expect(throws: MappingError.self) {
      try JSONAdapter<Scoop>().model(from: Data(json.utf8))
    }

    #expect(
      error?.description == #"""
        missing value for `Strawberry.freshness` at /flavors/0/strawberry_freshness, 1:14
        invalid value: string "mint", expected one of "chocolate", "strawberry" - `Flavor.flavor` \#
        at /flavors/1/flavor, 1:51
        invalid type: number 5, expected object - `Scoop.flavors` at /flavors/2, 1:60
        invalid value: string "x", expected integer in a string - `Chocolate.bitterness` \#
        at /flavors/3/chocolate_bitterness, 2:62
        invalid value: number -1, expected non-negative integer - `Strawberry.freshness` \#
        at /top/strawberry_freshness, 3:58
        """#)
  }

  @Test func aDiscriminatorThatAVariantMapsTooIsWrittenOnce() throws {
    #expect(
      try flavors.data(from: strawberry).text
        == #"{"flavor":"strawberry","strawberry_freshness":3}"#)
  }

  @Test func clustersAreValuesOfEveryKind() throws {
    let scoop = Scoop(
      flavors: [chocolate, strawberry, chocolate], top: nil, named: ["x": strawberry])
    let adapter = JSONAdapter<Scoop>()

    #expect(
      try adapter.data(from: scoop).text == """
        {"flavors":[{"flavor":"chocolate","chocolate_bitterness":"100"},\
        {"flavor":"strawberry","strawberry_freshness":3},\
        {"flavor":"chocolate","chocolate_bitterness":"100"}],\
        "named":{"x":{"flavor":"strawberry","strawberry_freshness":3}}}
        """)
    for formatting in [JSONFormatting.compact, .pretty, .sorted, [.pretty, .sorted]] {
      let data = try adapter.data(from: [scoop, scoop], formatting: formatting)
      #expect(try adapter.models(from: data) == [scoop, scoop])
    }
  }

  @Test func keysAreSortedAndIndented() throws {
    #expect(
      try flavors.data(from: [chocolate], formatting: [.pretty, .sorted]).text == #"""
        [
          {
            "chocolate_bitterness": "100",
            "flavor": "chocolate"
          }
        ]
        """#)
  }

  @Test func clustersCanBeRecursive() throws {
    let adapter = JSONAdapter<Shape>()
    let shape = Shape.group(
      Group(shapes: [.empty, .other("star"), .group(Group(shapes: [.empty], size: 1))], size: nil))

    let data = try adapter.data(from: shape)

    #expect(
      data.text == """
        {"meta":{"type":"group"},"shapes":[{"meta":{"type":"empty"}},{"meta":{"type":"star"}},\
        {"meta":{"type":"group","size":1},"shapes":[{"meta":{"type":"empty"}}]}]}
        """)
    #expect(try adapter.model(from: data) == shape)
    #expect(Shape.mapping.issues == [])
  }

  @Test func aClusterIsReadAtEveryDepthOfADocument() throws {
    let adapter = JSONAdapter<Shape>()
    var shape = Shape.empty
    for _ in 1..<128 { shape = .group(Group(shapes: [shape], size: nil)) }

    let data = try adapter.data(from: shape)

    #expect(try adapter.model(from: data) == shape)
  }

  @Test func unknownValuesAreStoredInOpenEnums() throws {
    let adapter = JSONAdapter<Shape>()
    let data = Data(#"{"meta":{"type":"star","points":5}}"#.utf8)

    let shape = try adapter.model(from: data)

    #expect(shape == .other("star"))
    #expect(try adapter.data(from: shape).text == #"{"meta":{"type":"star"}}"#)
  }

  @Test func aClusterMayBeInlined() throws {
    let orders = [
      Order(id: 1, flavor: chocolate, note: "n"), Order(id: 2, flavor: nil, note: nil),
      Order(id: 3, flavor: strawberry, note: nil),
    ]

    #expect(
      try JSONAdapter<Order>().data(from: orders[0]).text
        == #"{"id":1,"flavor":"chocolate","chocolate_bitterness":"100","note":"n"}"#)
    for nulls in [NullPolicy.omit, .null] {
      let adapter = JSONAdapter<Order>(nullPolicy: nulls)
      #expect(try adapter.models(from: adapter.data(from: orders)) == orders)
    }
  }

  @Test func aClusterOfOneVariantMayBeInlinedAndNil() throws {
    struct Visit: MappedModel, Equatable {
      var id: Int
      var account: Subst?
      static let mapping = Mapping(
        "Visit", Visit.init, .key("id", \.id), .inlined("account", \.account))
    }
    let visits = [
      Visit(id: 1, account: nil),
      Visit(id: 2, account: .test(TestModel(name: "foo", count: 2, nestedName: nil))),
    ]

    for nulls in [NullPolicy.omit, .null] {
      let adapter = JSONAdapter<Visit>(nullPolicy: nulls)
      #expect(try adapter.models(from: adapter.data(from: visits)) == visits)
    }
  }

  @Test func patchesOfClustersAreWhole() throws {
    let bitter = Flavor.chocolate(Chocolate(bitterness: 7))

    let patch = try flavors.mergePatch(from: chocolate, to: bitter)

    #expect(patch.text == #"{"flavor":"chocolate","chocolate_bitterness":"7"}"#)
    #expect(try flavors.partial(from: patch).applied(to: chocolate) == bitter)
    #expect(try flavors.mergePatch(from: bitter, to: bitter).text == "{}")
    #expect(try flavors.partial(from: Data("{}".utf8)).isEmpty)
    #expect(
      MohoJSONTests.messages {
        _ = try flavors.partial(from: Data(#"{"chocolate_bitterness":"7"}"#.utf8))
      } == ["missing value for `Flavor.flavor` at /flavor"])
  }

  @Test func elementsOfAStreamMayBeVariants() throws {
    let lossy = try flavors.lossyModels(
      from: Data(
        #"[{"flavor":"chocolate","chocolate_bitterness":"1"},{"flavor":"x"}]"#.utf8))

    #expect(lossy.models == [.chocolate(Chocolate(bitterness: 1))])
    #expect(lossy.failures.map(\.index) == [1])
  }

  @Test func theLawsHold() {
    #expect(MappingLaws.violations(of: Flavor.self, samples: [chocolate, strawberry]) == [])
    #expect(
      MappingLaws.violations(
        of: Shape.self,
        samples: [.empty, .other("x"), .group(Group(shapes: [.empty], size: 2))]) == [])
  }
}
