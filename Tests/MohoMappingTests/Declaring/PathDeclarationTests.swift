import MohoMapping
import Testing

private struct Pair: Sendable {
  var one: [String]
  var other: [String]?

  static func issues(
    _ one: String? = nil, _ oneAlternatives: [String] = [],
    _ other: String? = nil, _ otherAlternatives: [String] = []
  ) -> [String] {
    Mapping(
      "Pair", Pair.init,
      .key("one", \.one, json: one, alternatives: oneAlternatives),
      .key("other", \.other, json: other, alternatives: otherAlternatives)
    ).issues.map(\.description)
  }
}

@Suite struct PathDeclarationTests {
  @Test func aKeyHasItsDeclaredAlternatives() {
    let mapping = Mapping(
      "Pair", naming: .snakeCase, Pair.init,
      .key("one", \.one, alternatives: ["a.b", "otherOne"]),
      .key("other", \.other, json: "c[*].d", alternatives: ["c"], Transform<String>.standard.array))

    #expect(mapping.issues == [])
    #expect(mapping.keys[0].alternatives == ["a.b", "otherOne"])
    #expect(mapping.keys[1].source?.components == [.key("c"), .each, .key("d")])
    #expect(mapping.keys[1].alternatives == ["c"])
  }

  @Test(
    arguments: [
      ("a", ["b", "c.d"], "e", ["f"]),
      ("a.b", ["a"], "b", []),
      ("a[*].b", ["a"], "b", []),
      ("a[0].b", ["a[1].b"], "a[2].b", ["c[*].b"]),
      ("a", ["c[*].b"], "b", ["c[*].d"]),
      ("a[0][*].b", [], "a[1][*].b", []),
      ("a", ["x.y"], "b", ["x[0]"]),
      ("a.x", ["c.x"], "a.y", ["c.y"]),
    ] as [(String, [String], String, [String])])
  func soundPathsHaveNoIssues(
    one: String, oneAlternatives: [String], other: String, otherAlternatives: [String]
  ) {
    #expect(Pair.issues(one, oneAlternatives, other, otherAlternatives) == [])
  }

  @Test(
    arguments: [
      ([""], "`one`: the path `` has an empty component"),
      (["a", "b..c"], "`one`: the path `b..c` has an empty component"),
      (["a[x]"], "`one`: the path `a[x]` has a malformed index"),
      (["a", "b", "a"], "`one`: the path `a` is declared twice"),
      (["one"], "`one`: the path `one` is declared twice"),
      (
        ["one.a"],
        "`one`: `one.a` is inside `one`, which is read first: declare the deeper path first"
      ),
      (
        ["a", "a[*].b"],
        "`one`: `a[*].b` is inside `a`, which is read first: declare the deeper path first"
      ),
    ])
  func pathsOfOneKeyAreChecked(alternatives: [String], issue: String) {
    #expect(Pair.issues(nil, alternatives) == [issue])
  }

  @Test(
    arguments: [
      (
        "a", ["b"], "b", [],
        "`other` is mapped to `b`, and `one` has the alternative path `b`:"
          + " the value of one key would be read for the other"
      ),
      (
        "a.b", [], "b", ["a"],
        "`one` is mapped to `a.b`, and `other` has the alternative path `a`:"
          + " the value of one key would be read for the other"
      ),
      (
        "a", [], "b", ["a.c"],
        "`one` is mapped to `a`, and `other` has the alternative path `a.c`:"
          + " the value of one key would be read for the other"
      ),
      (
        "a[*].b", [], "b", ["a[*].c"],
        "`one` is mapped to `a[*].b`, and `other` has the alternative path `a[*].c`:"
          + " the value of one key would be read for the other"
      ),
      (
        "a", ["c"], "b", ["d", "c.x"],
        "`one` has the alternative path `c`, and `other` has `c.x`: both keys would be read from one value"
      ),
      (
        "a[*].b", [], "a[*].c", [],
        "`one` is mapped to `a[*].b` and `other` to `a[*].c`:"
          + " map `a` to an array of models instead"
      ),
      ("a[*].b", [], "a[*].b", [], "`one` and `other` are both mapped to `a[*].b`"),
      (
        "a[*].b", [], "a", [],
        "`one` is mapped to `a[*].b` and `other` to `a`: map `a` to an array of models instead"
      ),
      (
        "a.b[0].c", [], "a.b[*].c", [],
        "`one` is mapped to `a.b[0].c` and `other` to `a.b[*].c`:"
          + " map `a.b` to an array of models instead"
      ),
      (
        "a[*].b", [], "a.count", [],
        "`one` is mapped to `a[*].b` and `other` to `a.count`:"
          + " map `a` to an array of models instead"
      ),
      (
        "a.b[*].c", [], "a", [],
        "`one` is mapped to `a.b[*].c` and `other` to `a`: one path is inside the other"
      ),
    ] as [(String, [String], String, [String], String)])
  func pathsOfTwoKeysAreChecked(
    one: String, oneAlternatives: [String], other: String, otherAlternatives: [String],
    issue: String
  ) {
    #expect(Pair.issues(one, oneAlternatives, other, otherAlternatives) == [issue])
  }

  @Test func onlyArraysCanCollect() {
    struct Model: Sendable {
      var text: String?
      var arrays: [[Int]]
      var array: [Int]?
      var lossy: LossyArray<Int>
    }
    let mapping = Mapping(
      "Model", Model.init,
      .key("text", \.text, json: "a[*].b", alternatives: ["c[*]"]),
      .key("arrays", \.arrays, json: "b[*].c[*].d[*]"),
      .key("array", \.array, json: "d[*].e[*].f", alternatives: ["e[*]"]),
      .key("lossy", \.lossy, json: "f[*].g"))

    #expect(
      mapping.issues.map(\.description) == [
        "`text`: `a[*].b` collects an array, but the key has type string",
        "`text`: `c[*]` collects an array, but the key has type string",
        "`arrays`: `b[*].c[*].d[*]` collects 3 levels of arrays, but the key holds 2",
        "`array`: `d[*].e[*].f` collects 2 levels of arrays, but the key holds 1",
      ])
  }

  @Test func aStoreOnlyKeyHasNoAlternatives() {
    struct Model: Sendable { var value: Int? }
    let mapping = Mapping(
      "Model", Model.init, .key("value", \.value, alternatives: ["a"], .storeOnly))

    #expect(mapping.keys[0].alternatives == [])
    #expect(
      mapping.issues.map(\.description) == [
        "`value`: documents do not hold the key, so it cannot have alternative paths"
      ])
  }

  @Test func inlinedModelsShareNoPaths() {
    struct Inner: MappedModel {
      var values: [Int]
      var name: String
      static let mapping = Mapping(
        "Inner", Inner.init, .key("values", \.values, json: "a[*].b"),
        .key("name", \.name, alternatives: ["title"]))
    }
    struct Outer: MappedModel {
      var title: String
      var inner: Inner
      var ids: [Int]
      static let mapping = Mapping(
        "Outer", Outer.init, .key("title", \.title), .inlined("inner", \.inner),
        .key("ids", \.ids, json: "a[*].id"))
    }

    #expect(
      Outer.mapping.issues.map(\.description) == [
        "`title` is mapped to `title`, and `Inner.name` has the alternative path `title`:"
          + " the value of one key would be read for the other",
        "`Inner.values` is mapped to `a[*].b` and `ids` to `a[*].id`:"
          + " map `a` to an array of models instead",
      ])
  }

  @Test func theDiscriminatorsPathsAreChecked() {
    struct Inner: MappedModel {
      var kind: String
      static let mapping = Mapping("Inner", Inner.init, .key("kind", \.kind))
    }
    struct Outer: Sendable { var inner: Inner }
    let mapping = Mapping<Outer>(
      "Outer", discriminator: "type[*]", alternatives: ["x..y", "kind", "kind"],
      .variant("inner", { Outer(inner: $0) }, payload: { $0.inner }))

    #expect(
      mapping.issues.map(\.description) == [
        "the discriminator: the path `x..y` has an empty component",
        "the discriminator: the path `kind` is declared twice",
        "the discriminator: `type[*]` collects an array, but the value is a string",
        "`Inner.kind` is mapped to `kind`, and `type[*]` has the alternative path `kind`:"
          + " the value of one key would be read for the other",
        "`Inner.kind` is mapped to `kind`, and `type[*]` has the alternative path `kind`:"
          + " the value of one key would be read for the other",
      ])
  }
}
