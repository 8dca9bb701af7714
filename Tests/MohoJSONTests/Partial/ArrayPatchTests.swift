import Foundation
import MohoJSON
import MohoMapping
import Testing

/// Keys in two arrays, and unknown members beside them.
private struct Gallery: MappedModel, Equatable {
  var id: Int
  var first: String?
  var third: String?
  var size: Int?
  var others: [String: JSONValue]

  static let mapping = Mapping(
    "Gallery", Gallery.init, .key("id", \.id), .key("first", \.first, json: "tags[0]"),
    .key("third", \.third, json: "tags[2]"), .key("size", \.size, json: "meta.files[0].size"),
    .unknown("others", \.others))
}

/// Keys in an array, without unknown members.
private struct Pair: MappedModel, Equatable {
  var id: Int
  var left: String
  var right = "none"

  static let mapping = Mapping(
    "Pair", Pair.init, .key("id", \.id), .key("left", \.left, json: "sides[0]"),
    .key("right", \.right, json: "sides[1]", default: "none"))
}

private struct Credits: MappedModel, Equatable {
  var author: String
  var note: String?
  var others: [String: JSONValue]

  static let mapping = Mapping(
    "Credits", Credits.init, .key("author", \.author, json: "names[1]"), .key("note", \.note),
    .unknown("others", \.others))
}

/// Keys of an inlined model in an array with another key.
private struct Book: MappedModel, Equatable {
  var title: String
  var pages: Int?
  var credits: Credits

  static let mapping = Mapping(
    "Book", Book.init, .key("title", \.title, json: "names[0]"), .key("pages", \.pages),
    .inlined("credits", \.credits))
}

private struct Credit: MappedModel, Equatable {
  var author: String
  var note: String?

  static let mapping = Mapping(
    "Credit", Credit.init, .key("author", \.author, json: "names[1]"), .key("note", \.note))
}

/// Keys of an optional inlined model in an array with another key.
private struct Leaflet: MappedModel, Equatable {
  var title: String
  var credit: Credit?

  static let mapping = Mapping(
    "Leaflet", Leaflet.init, .key("title", \.title, json: "names[0]"),
    .inlined("credit", \.credit))
}

/// Merge patches replace arrays as a whole.
@Suite struct ArrayPatchTests {
  private let galleries = JSONAdapter<Gallery>()

  /// Checks the patches between all pairs of documents.
  private func checkPairs<Model: MappedModel & Equatable>(
    _ adapter: JSONAdapter<Model>, _ documents: [String]
  ) throws {
    for from in documents {
      for to in documents {
        let (old, new) = (try adapter.model(from: from), try adapter.model(from: to))

        let patch = try adapter.mergePatch(from: old, to: new)

        let comment: Comment = "from \(from) to \(to): \(patch.text)"
        #expect(try adapter.partial(from: patch).applied(to: old) == new, comment)
        #expect(Partial(from: old, to: new).applied(to: old) == new, comment)
        let value = try JSONDocument(parsing: patch).value() ?? .null
        let merged = try adapter.value(from: old).merged(with: value)
        #expect(try adapter.model(from: merged.data()) == new, comment)
      }
    }
  }

  @Test func everyPairOfModelsIsBridgedByItsPatch() throws {
    try checkPairs(
      galleries,
      [
        #"{"id":1}"#, #"{"id":2,"x":{"a":1}}"#, #"{"id":1,"tags":["a","b","c"]}"#,
        #"{"id":1,"tags":["a","b"],"x":{"b":2}}"#, #"{"id":1,"tags":["a","b","c","d"]}"#,
        #"{"id":1,"tags":[null,"b","d"]}"#, #"{"id":1,"tags":["a",{"x":null},"c",null]}"#,
        #"{"id":1,"tags":["a",[null,{"y":[1]}],"c",{}]}"#, #"{"id":1,"tags":[null,2]}"#,
        #"{"id":1,"tags":["a",null]}"#,
        #"{"id":1,"meta":{"files":[{"size":1,"width":2,"height":3}],"x":1}}"#,
        #"{"id":1,"meta":{"files":[{"size":1,"width":4,"height":3},{"z":[1]}]}}"#,
        #"{"id":1,"meta":{"files":[{"size":2,"note":null}],"y":{"z":2}}}"#,
        #"{"id":1,"meta":{"files":[{"note":{"a":null}},null,5]}}"#,
        #"{"id":1,"meta":{"x":{"y":1}}}"#,
      ])
    try checkPairs(
      JSONAdapter<Pair>(),
      [
        #"{"id":1,"sides":["a"]}"#, #"{"id":1,"sides":["a","b"]}"#, #"{"id":2,"sides":["c","b"]}"#,
      ])
    try checkPairs(
      JSONAdapter<Book>(),
      [
        #"{"names":["a","b"]}"#, #"{"names":["a","b","c"],"pages":1}"#,
        #"{"names":["a","d","c"],"note":"n","x":1}"#, #"{"names":["e","b","c"],"y":{"z":2}}"#,
        #"{"names":["e","b",null,{"z":null}],"note":"n"}"#,
      ])
  }

  @Test func aPatchHasAllOfAnArrayOfWhichAPartDiffers() throws {
    let old = try galleries.model(from: #"{"id":1,"tags":["a","b","c"],"x":1}"#)
    var (third, member, id) = (old, old, old)
    third.third = "d"
    member.others["tags[1]"] = 5
    id.id = 2

    func patch(_ new: Gallery) throws -> String {
      try galleries.mergePatch(from: old, to: new).text
    }
    #expect(try patch(third) == #"{"tags":["a","b","d"]}"#)
    #expect(try patch(member) == #"{"tags":["a",5,"c"]}"#)
    #expect(try patch(id) == #"{"id":2}"#)
    var short = old
    short.third = nil
    #expect(try patch(short) == #"{"tags":["a","b"]}"#)
    short.first = nil
    short.others.removeValue(forKey: "tags[1]")
    #expect(try patch(short) == #"{"tags":[null,null,null]}"#)
    // A difference has only what differs, for stores.
    #expect(Partial(from: old, to: third).keys.map(\.name) == ["third"])
  }

  @Test func anArrayRemovesTheKeysThatItDoesNotHave() throws {
    let gallery = try galleries.model(from: #"{"id":1,"tags":["a","b","c","d"]}"#)
    for (json, tags) in [
      (#"{"tags":["e"]}"#, ["e", nil]), (#"{"tags":[]}"#, [nil, nil]),
      (#"{"tags":null}"#, [nil, nil]), (#"{"id":1}"#, ["a", "c"]),
    ] as [(String, [String?])] {
      let patched = try galleries.partial(from: json).applied(to: gallery)

      #expect([patched.first, patched.third] == tags, "\(json)")
      #expect(patched.others.isEmpty == (json != #"{"id":1}"#), "\(json)")
    }
    let pairs = JSONAdapter<Pair>()
    let pair = Pair(id: 1, left: "a", right: "b")
    let patches = try pairs.partials(from: #"[{"sides":["c"]},{"id":2},{"sides":["d","e"]}]"#)
    #expect(
      patches.map { $0.applied(to: pair) } == [
        Pair(id: 1, left: "c"), Pair(id: 2, left: "a", right: "b"),
        Pair(id: 1, left: "d", right: "e"),
      ])
    let error = #expect(throws: MappingError.self) { try pairs.partial(from: #"{"sides":[]}"#) }
    #expect(error?.code == .missingValue && error?.key == "left")
  }

  @Test func anArrayWithoutAKeyOfAnOptionalInlinedModelKeepsTheModel() throws {
    let leaflet = Leaflet(title: "a", credit: Credit(author: "b", note: "n"))

    let patched = try JSONAdapter<Leaflet>().partial(from: #"{"names":["c"]}"#).applied(to: leaflet)

    #expect(patched == Leaflet(title: "c", credit: leaflet.credit))
  }

  @Test func nullInAnArrayIsAValue() throws {
    let gallery = Gallery(id: 1, others: [:])
    let json = #"{"tags":["a",{"x":null,"y":{"z":null}},"c",null]}"#

    let patch = try galleries.partial(from: json)

    #expect(
      patch.applied(to: gallery).others
        == ["tags[1]": ["x": nil, "y": ["z": nil]], "tags[3]": nil])
    #expect(try galleries.text(from: patch) == json)
  }

  @Test func patchesWithArraysAreWrittenAsTheyAreRead() throws {
    let gallery = try galleries.model(
      from: #"{"id":1,"tags":["a","b","c","d"],"meta":{"files":[{"size":1,"width":2}]}}"#)
    let patches = try [
      #"{"tags":["e","f","g","h","i"]}"#, #"{"tags":["e"]}"#, #"{"tags":[]}"#,
      #"{"meta":{"files":[{"width":3},4]}}"#, #"{"meta":{"files":[]}}"#,
    ].map { try galleries.partial(from: $0) }

    for one in patches {
      for other in patches {
        let both = one.merging(other)
        let patched = other.applied(to: one.applied(to: gallery))
        #expect(both.applied(to: gallery) == patched, "\(one), \(other)")
        let again = try galleries.partial(from: galleries.data(from: both))
        #expect(again.applied(to: gallery) == patched, "\(one), \(other)")
      }
    }
  }

  @Test func aPartOfAnArrayCannotBeWritten() throws {
    let gallery = try galleries.model(from: #"{"id":1,"tags":["a","b","c"]}"#)
    var members = Partial<Gallery>()
    members[\.others] = ["tags[1]": 1]
    let parts = [
      Partial(gallery, only: \.first), Partial(gallery, only: \.first, \.third), members,
      try galleries.partial(from: #"{"tags":["a"]}"#).removing(\.third),
    ]

    for part in parts {
      let error = #expect(throws: MappingError.self) {
        try galleries.data(from: [Partial(), part])
      }
      #expect(error?.code == .unsupported, "\(part)")
      #expect(error?.path == FieldPath([.index(1), .key("tags")]), "\(part)")
    }
    #expect(
      messages { _ = try galleries.data(from: parts[0]) } == [
        "unsupported value: part of an array that contains keys, expected all of its elements,"
          + " because a merge patch replaces an array - `Gallery.third` at /tags; create the patch"
          + " with `mergePatch(from:to:)`"
      ])
    #expect(
      try galleries.text(from: Partial(gallery))
        == #"{"id":1,"tags":["a","b","c"],"meta":{"files":[{"size":null}]}}"#)
    #expect(
      try JSONAdapter<Pair>().text(from: Partial(Pair(id: 1, left: "a"), only: \.left, \.right))
        == #"{"sides":["a","none"]}"#)
  }
}
