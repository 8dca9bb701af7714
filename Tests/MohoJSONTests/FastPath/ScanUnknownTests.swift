import Foundation
import MohoJSON
import MohoMapping
import Testing

/// A show that stores its unknown members, and those of a nested model.
struct OpenShow: MappedModel, Equatable {
  struct Place: MappedModel, Equatable {
    var latitude: Double?
    var others: [String: JSONValue]

    static let mapping = Mapping(
      "OpenPlace", Place.init,
      .key("latitude", \.latitude, json: "lat"), .unknown("others", \.others))
  }

  var id: JSONValue?
  var title: String?
  var url: JSONValue?
  var epoch: JSONValue?
  var start: JSONValue?
  var place: Place?
  var places: [Place]?
  var others: JSONValue

  static let mapping = Mapping(
    "OpenShow", OpenShow.init,
    .key("id", \.id),
    .key("title", \.title),
    .key("url", \.url, json: "media.url"),
    .key("epoch", \.epoch, json: "times.epoch"),
    .key("start", \.start, json: "best.at.start"),
    .key("place", \.place),
    .key("places", \.places),
    .unknown("others", \.others))
}

/// A show that stores its unknown members, and inlines models.
private struct InliningShow: MappedModel, Equatable {
  struct Extent: MappedModel, Equatable {
    var length: JSONValue?
    var kind: JSONValue?
    var end: JSONValue?

    static let mapping = Mapping(
      "InlinedExtent", Extent.init,
      .key("length", \.length), .key("kind", \.kind, json: "media.kind"),
      .key("end", \.end, json: "best.at.end"))
  }

  struct Date: MappedModel, Equatable {
    var date: String

    static let mapping = Mapping("InlinedDate", Date.init, .key("date", \.date))
  }

  var id: JSONValue?
  var extent: Extent
  var url: JSONValue?
  var date: Date?
  var others: JSONValue
  var title: String?

  static let mapping = Mapping(
    "InliningShow", InliningShow.init,
    .key("id", \.id),
    .inlined("extent", \.extent),
    .key("url", \.url, json: "media.url"),
    .inlined("date", \.date),
    .unknown("others", \.others),
    .key("title", \.title))
}

/// The part of a show that stores the unknown members of the object around it.
struct OpenPart: MappedModel, Equatable {
  var start: JSONValue?
  var kind: JSONValue?
  var others: JSONValue

  static let mapping = Mapping(
    "OpenPart", OpenPart.init,
    .key("start", \.start, json: "best.at.start"), .key("kind", \.kind, json: "media.kind"),
    .unknown("others", \.others))
}

/// A show with an inlined model that stores its unknown members.
struct ShowWithOpenPart: MappedModel, Equatable {
  var id: JSONValue?
  var url: JSONValue?
  var part: OpenPart
  var place: OpenShow.Place?

  static let mapping = Mapping(
    "ShowWithOpenPart", ShowWithOpenPart.init,
    .key("id", \.id), .key("url", \.url, json: "media.url"), .inlined("part", \.part),
    .key("place", \.place))
}

/// A show with a show like it in the same object, and one in another.
private struct NestingShow: MappedModel, Equatable {
  var title: String
  var show: ShowWithOpenPart?
  var inlined: ShowWithOpenPart

  static let mapping = Mapping(
    "NestingShow", NestingShow.init,
    .key("title", \.title), .key("show", \.show), .inlined("inlined", \.inlined))
}

/// A show with variants that store their unknown members.
enum OpenVariant: MappedModel, Equatable {
  case known(OpenShow)
  case other(String, OpenPart)

  static let mapping = Mapping<OpenVariant>(
    "OpenVariant", discriminator: "title",
    .variant("", OpenVariant.known) { if case .known(let show) = $0 { show } else { nil } },
    .unknown(OpenVariant.other) {
      if case .other(let title, let part) = $0 { (title, part) } else { nil }
    })
}

@Suite struct ScanUnknownTests {
  private let scanning = JSONAdapter<OpenShow>()
  private let parsing = JSONAdapter<OpenShow>().withoutFastPath

  @Test(
    arguments: [
      "{}",
      #"{"id":1,"b":2,"a":[1,{"x":null},[]],"title":"t","c":{"d":{"e":"f"}}}"#,
      #"{"media":{"size":7,"url":"u","kind":{"a":1}},"x":0,"best":{"n":1,"at":{"end":2,"start":1}}}"#,
      #"{"media":null,"times":{"epoch":null,"other":null},"best":{"at":null,"x":1}}"#,
      #"{"media":{},"best":{"at":{}}}"#,
      #"{"a.b":1,"c[0]":2,"d\\e":3,"":4,"media":{"a.b":1,"":2,"[x]":3},"\u0061":5}"#,
      #"{"n":[0,-0,1,-1.5,0.1,-0.0,1e3,1E-3,9223372036854775807,9223372036854775808,-9223372036854775808,123456789012345678901234567890,0.1234567890123456789,1.0]}"#,
      #"{"s":["","é","\u00e9","\ud83d\ude00","\n\"\\\/","日本"],"t":[true,false,null]}"#,
      #"{"place":{"lat":1.5,"lon":2,"tags":["a"]},"places":[{"a":1},{"lat":1.5,"b.c":2},{}],"x":1}"#,
      #" { "x" : { } , "media" : { "y" : [ ] } } "#,
    ])
  func unknownMembersAreRead(text: String) throws {
    let data = Data(text.utf8)

    #expect(scanning.isScanned(data))
    let model = try scanning.model(from: data)
    #expect(try model == parsing.model(from: data))
    // The order of members, and zero with a sign.
    #expect(try scanning.data(from: model) == parsing.data(from: parsing.model(from: data)))
    let array = Data("[\(text),\(text)]".utf8)
    #expect(try scanning.models(from: array) == parsing.models(from: array))
    expectEqualPartials(data, "\(text)")
  }

  /// Partial models are read alike, and so is the document that has them in an array.
  private func expectEqualPartials(_ data: Data, _ comment: Comment) {
    let array = Data("[".utf8) + data + Data(",".utf8) + data + Data("]".utf8)
    let found = Verdict { try scanning.data(from: scanning.partial(from: data)) }
    let expected = Verdict { try parsing.data(from: parsing.partial(from: data)) }
    #expect(found == expected, comment)
    let all = Verdict { try scanning.data(from: scanning.partials(from: array)) }
    let expectedAll = Verdict { try parsing.data(from: parsing.partials(from: array)) }
    #expect(all == expectedAll, comment)
  }

  @Test(
    arguments: [
      #"{"x":1,"x":2}"#, #"{"x":1,"\u0078":2}"#, #"{"media":{"x":1,"x":2}}"#,
      #"{"x":{"y":1,"y":2}}"#, #"{"x":1e999}"#, #"{"x":01}"#, #"{"x":"\ud800"}"#,
      #"{"media":7}"#, #"{"title":1,"x":2}"#, #"{"place":{"lat":"x","y":1}}"#,
    ])
  func uncommonTextTakesTheDiagnosticPath(text: String) {
    let data = Data(text.utf8)

    #expect(!scanning.isScanned(data))
    #expect(
      Verdict { try scanning.model(from: data) } == Verdict { try parsing.model(from: data) })
    expectEqualPartials(data, "\(text)")
  }

  @Test func randomObjectsAreReadAlike() throws {
    try expectAgreement(of: OpenShow.self) { data, model, comment in
      let written = try scanning.data(from: scanning.model(from: data))
      let expected = try parsing.data(from: model)
      #expect(written == expected, comment)
      expectEqualPartials(data, comment)
    }
  }

  /// A merge patch changes single members.
  @Test func partialModelsChangeSingleMembers() throws {
    let data = Data(#"{"x":null,"media":{"y":1},"place":{"z":2}}"#.utf8)

    let partial = try scanning.partial(from: data)

    #expect(try scanning.data(from: partial) == parsing.data(from: parsing.partial(from: data)))
    let model = try scanning.model(from: Data(#"{"x":1,"media":{"y":2,"w":3}}"#.utf8))
    let changed = try scanning.data(from: partial.applied(to: model))
    #expect(
      String(decoding: changed, as: UTF8.self) == #"{"media":{"y":1,"w":3},"place":{"z":2}}"#)
  }

  @Test(
    arguments: [
      "{}", #"{"length":1,"x":2,"media":{"kind":3,"y":4,"url":5}}"#,
      #"{"best":{"at":{"end":6,"z":7},"w":8}}"#, #"{"date":"now","media":null}"#,
      #"{"length":null,"date":null,"media":{"kind":null},"x":null}"#,
      #"{"title":"t","others":{"a":1},"extent":2,"date":"now","best":{"at":[1]}}"#,
      #"{"x":{"b":1,"a":[{"date":"now"}]},"id":{"y":1}}"#,
    ])
  func membersThatInlinedModelsReadAreKnown(text: String) throws {
    let data = Data(text.utf8)
    let scanning = JSONAdapter<InliningShow>()
    let parsing = scanning.withoutFastPath

    let found = Verdict { try scanning.model(from: data) }
    #expect(found == Verdict { try parsing.model(from: data) })
    #expect(
      Verdict { try scanning.data(from: scanning.model(from: data)) }
        == Verdict { try parsing.data(from: parsing.model(from: data)) })
    #expect(
      Verdict { try scanning.data(from: scanning.partial(from: data)) }
        == Verdict { try parsing.data(from: parsing.partial(from: data)) })
    if !text.contains("null}") && !text.contains("[1]") { #expect(scanning.isScanned(data)) }
  }

  @Test func randomObjectsWithInlinedModelsAreReadAlike() throws {
    try expectAgreement(of: InliningShow.self, expectEqualText)
  }

  @Test func inlinedModelsTakeUnknownMembersOfTheObjectAround() throws {
    try expectAgreement(of: ShowWithOpenPart.self, expectEqualText)
  }

  /// The members that a model's inlined model receives depend on where the model is.
  @Test func aModelIsInlinedAndNested() throws {
    let text = Data(#"{"show":{"id":1,"x":2},"id":3,"y":4,"title":"t"}"#.utf8)
    let adapter = JSONAdapter<NestingShow>()

    let show = try adapter.model(from: text)

    #expect(show.show?.part.others == ["x": 2])
    #expect(show.inlined.part.others == ["y": 4])
    #expect(try show == adapter.withoutFastPath.model(from: text))
  }

  @Test func variantsTakeUnknownMembers() throws {
    try expectAgreement(of: OpenVariant.self, expectEqualText)
  }

  /// A model is written alike after it is read on either path.
  private func expectEqualText<Model: MappedModel>(
    _ data: Data, _ model: Model, _ comment: Comment
  ) throws {
    let adapter = JSONAdapter<Model>()
    let written = try adapter.data(from: adapter.model(from: data))
    let expected = try adapter.withoutFastPath.data(from: model)
    #expect(written == expected, comment)
  }
}
