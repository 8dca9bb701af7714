import Foundation
import MohoJSON
import MohoMapping
import Testing

/// What the fast path decodes. Without these tests, everything could take the
/// diagnostic path unnoticed.
@Suite struct ScanCoverageTests {
  @Test(
    arguments: [
      #"{"id":1}"#,
      " {\n            \"id\" :\t1 } ",
      #"{"id":100.0,"size":1e2,"big":18446744073709551615,"price":0.1,"ratio":2.5,"small":-128}"#,
      #"{"id":1,"title":"caf\u00e9 \ud83d\ude00 \"\/","kindé":"paid","new":true}"#,
      #"{"id":1,"kind\u00e9":"free","t\u0069tle":null,"unknown":{"a":[[],{}],"b":-0.0e-7}}"#,
      #"{"id":1,"date":"2026-11-20T08:30:00.250Z","times":{"epoch":1.5}}"#,
      #"{"id":1,"media":{"url":"u"},"images":[{},{"url":"v"}],"stats":null}"#,
      #"{"id":1,"media":"u"}"#,
      #"{"id":1,"link":"u"}"#,
      #"{"id":1,"place":{"lat":1},"note":"inlined"}"#,
      #"{"id":1,"best":{"n":1,"parts":[{"n":2,"at":{"start":3}},{"n":4,"parts":[]}]}}"#,
      #"{"id":1,"grid":[[0.1,2],[],[-3e4]],"named":{"a":1,"\u0062":2},"tags":["a",null]}"#,
      #"{"id":1,"any":{"b":[1,12345678901234567890.5,"\n"],"a":null}}"#,
      #"{"id":1,"length":"7"}"#,
      #"{"id":1,"about":{"page":"p"}}"#,
      #"{"id":1,"about":{"n":1}}"#,
      #"{"id":1,"notes":[1,2]}"#,
      #"{"id":-0.0e99999999999999999999,"size":0e+1111,"price":0E999,"big":0.000e400}"#,
      #"{"id":0.001e3,"size":0.001e310,"x":[-0.0001e311,0.01e309,0.9e308,-0.09e309]}"#,
      #"{"id":1,"title":"\u0000","x\u0000":1,"x":{"\u0000":1,"":2},"any":{"y\u0000\u0000":"\u0000"}}"#,
      #"{"id":1,"named":{"a\u0000":1,"a":2,"\u0000a":3}}"#,
    ])
  func objectsAreRead(text: String) throws {
    let data = Data(text.utf8)
    let adapter = JSONAdapter<ScannedShow>()

    #expect(adapter.isScanned(data))
    #expect(try adapter.model(from: data) == adapter.withoutFastPath.model(from: data))
    let deep = Data(#"{"a":{"b":\#(text)},"c":1}"#.utf8)
    let enveloped = JSONAdapter<ScannedShow>(envelope: "a.b")
    #expect(enveloped.isScanned(deep))
    #expect(try enveloped.model(from: deep) == adapter.model(from: data))
  }

  @Test(
    arguments: [
      "", " ", "[]", "7", "{}", #"{"id":1"#, #"{"id":1}}"#, #"{"id":1,}"#, #"{"id":01}"#,
      #"{"id":1,"id":1}"#, #"{"id":1,"x":1,"\u0078":2}"#, #"{"id":1,"x":{"y":1,"y":2}}"#,
      #"{"id":1,"\u0078":1,"x":2}"#, #"{"id":1,"x":{"\u0078":1,"x":2}}"#, #"{"id":1,"x":1,"x":2}"#,
      "{\"id\":1,\"title\":\"\0\"}", #"{"id":1,"title":"\ud800"}"#, "{\"id\":1,\"title\":\"\t\"}",
      #"{"id":1,"x":1e999}"#, #"{"id":1,"x":0.001e312}"#, #"{"id":1,"x":0.1e1000}"#,
      #"{"id":1,"x":0.9e309}"#, #"{"id":1,"x":-0.09e310}"#, #"{"id":1,"x":1.8e308}"#,
      #"{"id":1,"title":1}"#, #"{"id":1.5}"#, #"{"id":null}"#,
      #"{"id":1,"stats":"x"}"#, #"{"id":1,"notes":[1,"x"]}"#, #"{"id":1,"x":.5}"#,
      #"{"id":1,"ratio":1.}"#, #"{"id":1,"grid":[[1.]]}"#, #"{"id":1,"any":{"b":1.}}"#,
      #"{"id":1,"grid":[[-1.e5]]}"#, #"{"id":1:}"#,
    ])
  func uncommonTextTakesTheDiagnosticPath(text: String) {
    let data = Data(text.utf8)
    let adapter = JSONAdapter<ScannedShow>()

    #expect(!adapter.isScanned(data))
    #expect(
      Verdict { try adapter.model(from: data) }
        == Verdict { try adapter.withoutFastPath.model(from: data) })
  }

  /// Many keys, of which few recur in other objects.
  @Test func manyKeysAreDistinguished() throws {
    let adapter = JSONAdapter<ScannedShow>()
    for count in [1, 2, 6, 7, 40, 256, 257, 3_000] {
      let members = (0..<count).map { #""key \#($0) of some length":\#($0)"# }
      for (again, isScanned) in [("", true), (#","\#(members.count)":0"#, true)] {
        let text = #"{"id":1,"x":{\#(members.joined(separator: ","))\#(again)}}"#
        #expect(adapter.isScanned(Data(text.utf8)) == isScanned, "\(count) keys")
      }
      for twice in [0, count / 2, count - 1] {
        let text =
          #"{"id":1,"x":{\#((members + [members[twice]]).joined(separator: ","))}}"#
        #expect(!adapter.isScanned(Data(text.utf8)), "\(count) keys")
        let outside = #"{"id":1,\#((members + [members[twice]]).joined(separator: ","))}"#
        #expect(!adapter.isScanned(Data(outside.utf8)), "\(count) keys")
      }
    }
  }

  @Test func keysBeforeADuplicateAreForgotten() throws {
    let adapter = JSONAdapter<ScannedShow>()
    let members = (0..<200).map { #""key \#($0)":\#($0)"# }
    func text(_ members: [String]) -> Data {
      Data(#"{"id":1,"x":{\#(members.joined(separator: ","))}}"#.utf8)
    }

    #expect(throws: JSONError.self) { try adapter.model(from: text(members + [members[0]])) }
    #expect(adapter.isScanned(text(members.suffix(8))))
  }

  @Test func adaptersThatLookForUnknownKeysTakeTheDiagnosticPath() {
    let data = Data(#"{"id":1}"#.utf8)

    #expect(!JSONAdapter<ScannedShow>(unknownKeyPolicy: .refuse).isScanned(data))
    #expect(!JSONAdapter<FuzzEpisode>().isScanned(Data(#"{"id":1,"title":"","kind":"free"}"#.utf8)))
  }

  private struct Distant: MappedModel {
    var id: Int
    static let mapping = Mapping("Distant", Distant.init, .key("id", \.id, transform))

    static let transform: Transform<Int> = Transform(
      .integer, samples: [1, 2, 3],
      read: { try $0.isAbsent(at: 1 << 40) ? Int($0.int64(at: $1)) : 0 },
      write: { try $1.encode(Int64($0), at: $2) })
  }

  @Test func anIndexThatIsNotThatOfAKeyIsAbsent() throws {
    let adapter = JSONAdapter<Distant>()
    let data = Data(#"{"id":7}"#.utf8)

    #expect(adapter.isScanned(data))
    #expect(try adapter.model(from: data).id == 7)
  }

  private struct Tagged: MappedModel {
    var id: Int
    var kinds: LossyArray<Episode.Kind>
    static let mapping = Mapping(
      "Tagged", Tagged.init, .key("id", \.id), .key("kinds", \.kinds))
  }

  /// The fast path reads the element, but the error that it drops needs the diagnostic path.
  @Test func anElementThatIsDecodedAgainIsReturnedOnce() throws {
    let data = Data(
      #"[{"id":1,"kinds":["free"]},{"id":2,"kinds":["x","paid"]},{"id":3,"kinds":[]}]"#.utf8)

    let models = try JSONAdapter<Tagged>().models(from: data)

    #expect(models.map(\.id) == [1, 2, 3])
    #expect(models.map(\.kinds.elements) == [[.free], [.paid], []])
    #expect(models.map(\.kinds.dropped.count) == [0, 1, 0])
  }

  /// An element on the diagnostic path does not affect the others and their order.
  @Test func elementsTakeTheFastPathIfTheyCan() throws {
    let adapter = JSONAdapter<ScannedShow>()
    for count in [1, 2, 31, 32, 33, 300] {
      for odd in 0..<min(count, 40) {
        let elements = (0..<count).map { $0 == odd ? #"{"id":"x"}"# : #"{"id":\#($0)}"# }
        let data = Data("[\(elements.joined(separator: ","))]".utf8)
        let reading = try adapter.lossyModels(from: data)
        #expect(reading.indices == (0..<count).filter { $0 != odd })
        #expect(reading.models.map(\.id) == reading.indices)
        #expect(reading == (try adapter.withoutFastPath.lossyModels(from: data)))
      }
    }
  }
}
