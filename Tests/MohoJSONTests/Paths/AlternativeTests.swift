import Foundation
import MohoJSON
import MohoMapping
import MohoTesting
import Testing

private struct Post: MappedModel, Codable, Equatable {
  var title: String
  var summary: String?
  var image: String?
  var width = 100
  var price: Decimal?

  static let mapping = Mapping(
    "Post", Post.init,
    .key("title", \.title, alternatives: ["headline", "meta.name"]),
    .key("summary", \.summary, alternatives: ["description"]),
    .key("image", \.image, json: "thumbnail.url", alternatives: ["thumbnail", "images[1]"]),
    .key("width", \.width, json: "size[0]", alternatives: ["w"], default: 100),
    .key("price", \.price, alternatives: ["cost.amount"]))
}

private struct Inner: MappedModel, Codable, Equatable {
  var location: Int
  var length: Int?
  static let mapping = Mapping(
    "Inner", Inner.init,
    .key("location", \.location, alternatives: ["start"]),
    .key("length", \.length, alternatives: ["range.length"]))
}

private struct Outer: MappedModel, Codable, Equatable {
  var id: Int
  var inner: Inner?
  static let mapping = Mapping(
    "Outer", Outer.init, .key("id", \.id, alternatives: ["guid"]), .inlined("inner", \.inner))
}

private enum Shape: MappedModel, Codable, Equatable {
  case inner(Inner)
  static let mapping = Mapping<Shape>(
    "Shape", discriminator: "type", alternatives: ["kind", "meta.kind"],
    .variant("inner", Shape.inner) { if case .inner(let inner) = $0 { inner } else { nil } })
}

/// What the adapter and Foundation's decoder make of a text, which is the same.
private func read<Model: MappedModel & Decodable & Equatable>(_ text: String) throws -> Model {
  let data = Data(text.utf8)
  let coded = Result { try JSONDecoder().decode(Model.self, from: data) }
  let model = try JSONAdapter<Model>().model(from: data)
  #expect(try coded.get() == model)
  return model
}

private func errors<Model: MappedModel & Decodable>(
  _ type: Model.Type, _ text: String
) -> [String] {
  let data = Data(text.utf8)
  let coded = messages { _ = try JSONDecoder().decode(type, from: data) }
  let adapted = messages { _ = try JSONAdapter<Model>().model(from: data) }
  #expect(coded == adapted)
  return adapted
}

@Suite struct AlternativeTests {
  @Test(
    arguments: [
      (#"{"title":"a"}"#, Post(title: "a")),
      (#"{"headline":"b"}"#, Post(title: "b")),
      (#"{"meta":{"name":"c"}}"#, Post(title: "c")),
      (#"{"meta":{"name":"c"},"headline":"b"}"#, Post(title: "b")),
      (#"{"meta":{"name":"c"},"headline":"b","title":"a"}"#, Post(title: "a")),
      (#"{"title":"a","summary":null,"description":"d"}"#, Post(title: "a")),
      (#"{"title":"a","description":"d"}"#, Post(title: "a", summary: "d")),
      (#"{"title":"a","thumbnail":{"url":"u"}}"#, Post(title: "a", image: "u")),
      (#"{"title":"a","thumbnail":"t"}"#, Post(title: "a", image: "t")),
      (#"{"title":"a","thumbnail":null,"images":["x","y"]}"#, Post(title: "a")),
      (#"{"title":"a","thumbnail":{"url":null},"images":["x","y"]}"#, Post(title: "a")),
      (#"{"title":"a","images":["x","y"]}"#, Post(title: "a", image: "y")),
      (#"{"title":"a","images":["x"]}"#, Post(title: "a")),
      (#"{"title":"a","images":"x"}"#, Post(title: "a")),
      (#"{"title":"a","w":3}"#, Post(title: "a", width: 3)),
      (#"{"title":"a","w":3,"size":[]}"#, Post(title: "a", width: 3)),
      (#"{"title":"a","w":3,"size":{}}"#, Post(title: "a", width: 3)),
      (#"{"title":"a","w":3,"size":[5]}"#, Post(title: "a", width: 5)),
    ])
  private func theFirstPathAtWhichThereIsAnythingIsRead(text: String, post: Post) throws {
    #expect(try read(text) == post)
  }

  @Test(
    arguments: [
      ("{}", ["missing value for `Post.title` at /title, /headline or /meta/name"]),
      (
        #"{"Headline":"a"}"#,
        [
          "missing value for `Post.title` at /title, /headline or /meta/name;"
            + " did you mean `Headline`?"
        ]
      ),
      (#"{"meta":7}"#, ["missing value for `Post.title` at /title, /headline or /meta/name"]),
      (
        #"{"headline":5,"meta":{"name":"c"}}"#,
        ["invalid type: number 5, expected string - `Post.title` at /headline"]
      ),
      (
        #"{"meta":{"name":[]}}"#,
        ["invalid type: array, expected string - `Post.title` at /meta/name"]
      ),
      (
        #"{"meta":null}"#,
        ["unexpected null: null, expected string - `Post.title` at /meta/name"]
      ),
      (
        #"{"title":"a","w":null}"#,
        ["unexpected null: null, expected integer - `Post.width` at /w"]
      ),
      (
        #"{"title":"a","size":{}}"#,
        ["invalid type: object, expected array - `Post.width` at /size"]
      ),
      (
        #"{"title":"a","thumbnail":{}}"#,
        ["invalid type: object, expected string - `Post.image` at /thumbnail"]
      ),
      (
        #"{"title":"a","thumbnail":{"url":1}}"#,
        ["invalid type: number 1, expected string - `Post.image` at /thumbnail/url"]
      ),
    ])
  func errorsNameThePathWhereTheValueIs(text: String, expected: [String]) {
    let data = Data(text.utf8)
    let adapted = messages { _ = try JSONAdapter<Post>().model(from: data) }
    let coded = messages { _ = try JSONDecoder().decode(Post.self, from: data) }

    #expect(adapted == expected)
    // Decoders know no similar keys.
    #expect(coded == expected.map { $0.components(separatedBy: ";")[0] })
  }

  @Test func errorsHaveThePositionsOfTheValues() {
    let error = #expect(throws: MappingError.self) {
      try JSONAdapter<Post>().models(
        from: Data("[\n{\"meta\":\n {\"name\": 5}, \"w\": \"x\"},\n {}]".utf8))
    }

    #expect(
      error?.description == """
        invalid type: number 5, expected string - `Post.title` at /0/meta/name, 3:11
        invalid type: string "x", expected integer - `Post.width` at /0/w, 3:20
        missing value for `Post.title` at /1/title, /1/headline or /1/meta/name, 4:2
        """)
  }

  @Test func decimalsAreExactAtAlternatives() throws {
    let post = try JSONAdapter<Post>().model(
      from: Data(#"{"title":"a","cost":{"amount":0.12345678901234567890123}}"#.utf8))

    #expect(post.price == Decimal(string: "0.12345678901234567890123"))
  }

  @Test func keysAreEncodedAtTheirFirstPath() throws {
    let post = Post(title: "a", summary: "s", image: "i", width: 3)

    #expect(
      try JSONAdapter<Post>().data(from: post).text
        == #"{"title":"a","summary":"s","thumbnail":{"url":"i"},"size":[3]}"#)
    #expect(try read(JSONEncoder().encode(post).text) == post)
  }

  @Test func aKeyIsAbsentIfItIsAbsentAtAllPaths() throws {
    let adapter = JSONAdapter<Post>()
    let patches: [(String, [String])] = [
      ("{}", []), (#"{"description":null}"#, ["summary"]), (#"{"meta":{}}"#, []),
      (#"{"meta":{"name":"n"}}"#, ["title"]), (#"{"images":[1]}"#, []),
      (#"{"w":1,"thumbnail":"x"}"#, ["image", "width"]),
    ]

    for (text, keys) in patches {
      let patch = try adapter.partial(from: Data(text.utf8))
      #expect(patch.keys.map(\.name) == keys, "\(text)")
    }
  }

  @Test func mergePatchesAreOfOwnPaths() throws {
    let adapter = JSONAdapter<Post>()
    let (old, new) = (Post(title: "a", summary: "s"), Post(title: "b", width: 7))

    let patch = try adapter.mergePatch(from: old, to: new)

    #expect(patch.text == #"{"title":"b","summary":null,"size":[7]}"#)
    #expect(try adapter.partial(from: patch).applied(to: old) == new)
  }

  @Test func nestedModelsHaveAlternatives() throws {
    #expect(
      try read(#"{"guid":1,"start":2,"range":{"length":3}}"#)
        == Outer(id: 1, inner: Inner(location: 2, length: 3)))
    #expect(try read(#"{"guid":1}"#) == Outer(id: 1))
    #expect(try read(#"{"id":1,"location":5}"#) == Outer(id: 1, inner: Inner(location: 5)))
    #expect(
      errors(Outer.self, #"{"id":1,"range":{"length":"x"}}"#) == [
        "missing value for `Inner.location` at /location or /start",
        #"invalid type: string "x", expected integer - `Inner.length` at /range/length"#,
      ])
  }

  @Test func aDiscriminatorHasAlternatives() throws {
    let shape = Shape.inner(Inner(location: 1))

    for tag in [#""type":"inner""#, #""kind":"inner""#, #""meta":{"kind":"inner"}"#] {
      #expect(try read("{\(tag),\"start\":1}") == shape, "\(tag)")
    }
    #expect(try JSONAdapter<Shape>().data(from: shape).text == #"{"type":"inner","location":1}"#)
    #expect(
      errors(Shape.self, "{}") == ["missing value for `Shape.type` at /type, /kind or /meta/kind"])
  }

  @Test func namingLeavesAlternativesAlone() throws {
    struct Named: MappedModel {
      var pageTitle: String
      static let mapping = Mapping(
        "Named", naming: .snakeCase, Named.init,
        .key("pageTitle", \.pageTitle, alternatives: ["pageTitle"]))
    }
    let adapter = JSONAdapter<Named>()

    #expect(try adapter.model(from: Data(#"{"pageTitle":"a"}"#.utf8)).pageTitle == "a")
    #expect(try adapter.data(from: Named(pageTitle: "a")).text == #"{"page_title":"a"}"#)
  }

  @Test func theLawsHold() {
    #expect(MappingLaws.violations(of: Post.self) == [])
    #expect(MappingLaws.violations(of: Inner.self) == [])
  }
}

@Suite struct RelationPathTests {
  @Test func relationsHaveTheSamePaths() throws {
    struct Person: MappedModel, Codable, Equatable {
      var id: Int
      static let mapping = Mapping("Person", Person.init, .key("id", \.id, .unique))
    }
    struct Show: MappedModel, Codable, Equatable {
      var host: Person?
      var guests: [ModelReference<Person>]
      static let mapping = Mapping(
        "Show", Show.init, .toOne("host", \.host, alternatives: ["meta.host"]),
        .toMany("guests", \.guests, json: "cast[*].person", alternatives: ["cast"]))
    }
    let show = Show(
      host: Person(id: 1), guests: try [ModelReference(key: 2), ModelReference(key: 3)])

    #expect(
      try read(#"{"meta":{"host":{"id":1}},"cast":[{"person":2},{"person":{"id":3}}]}"#) == show)
    #expect(try read(#"{"meta":{"host":{"id":1}},"cast":[2,3]}"#) == show)
    #expect(
      try JSONAdapter<Show>().data(from: show).text
        == #"{"host":{"id":1},"cast":[{"person":2},{"person":3}]}"#)
  }
}
