import Foundation
import MohoJSON
import MohoMapping
import Testing

private struct Account: MappedModel, Equatable {
  var server: String
  var id: Int
  var name = ""

  static let mapping = Mapping<Account>(
    "Account", Account.init, .key("server", \.server, .storeOnly), .key("id", \.id),
    .key("name", \.name, default: "")
  )
  .identified(by: \.server, \.id)
}

private struct Status: MappedModel, Equatable {
  var server: String
  var id: Int
  var account: Account
  var mentions: [Account] = []
  var reply: ModelReference<Account>?
  var readAt: Date?
  var visits = 7

  static let mapping = Mapping<Status>(
    "Status", Status.init, .key("server", \.server, .storeOnly), .key("id", \.id),
    .toOne("account", \.account), .toMany("mentions", \.mentions, default: []),
    .toOne("reply", \.reply), .key("readAt", \.readAt, .storeOnly),
    .key("visits", \.visits, default: 7, .storeOnly)
  )
  .identified(by: \.server, \.id)
}

private struct Timeline: MappedModel, Equatable {
  var items: [Status]

  static let mapping = Mapping("Timeline", Timeline.init, .key("items", \.items))
}

private struct Origin: MappedModel, Equatable {
  var server: String
  var language: String?

  static let mapping = Mapping(
    "Origin", Origin.init, .key("server", \.server, .storeOnly), .key("language", \.language))
}

private struct Image: MappedModel, Equatable {
  var server: String
  var url: String

  static let mapping = Mapping(
    "Image", Image.init, .key("server", \.server, .storeOnly), .key("url", \.url))
}

private enum Attachment: MappedModel, Equatable {
  case image(Image)
  case link(Account)

  static let mapping = Mapping<Attachment>(
    "Attachment", discriminator: "type",
    .variant("image", Attachment.image) { if case .image(let image) = $0 { image } else { nil } },
    .variant("link", Attachment.link) { if case .link(let link) = $0 { link } else { nil } })
}

/// An inlined model, a cluster and a lossy array with store-only keys.
private struct Message: MappedModel, Equatable {
  var id: Int
  var origin: Origin
  var attachment: Attachment?
  var accounts: LossyArray<Account>

  static let mapping = Mapping(
    "Message", Message.init, .key("id", \.id), .inlined("origin", \.origin),
    .key("attachment", \.attachment), .key("accounts", \.accounts, default: LossyArray()))
}

@Suite struct SuppliedValueTests {
  private let text = #"""
    [{"id":1,"account":{"id":2,"name":"a"},"mentions":[{"id":3},{"id":4}],"reply":5},
     {"id":6,"account":{"id":2},"reply":{"id":7}},
     {"id":8,"account":{"id":2},"reply":["b.example",9]}]
    """#
  private let adapter = JSONAdapter<Status>().setting(\.server, to: "a.example")

  private func expected(
    readAt: Date? = nil, visits: Int = 7
  ) throws -> [Status] {
    func account(_ id: Int, _ name: String = "") -> Account {
      Account(server: "a.example", id: id, name: name)
    }
    return [
      Status(
        server: "a.example", id: 1, account: account(2, "a"), mentions: [account(3), account(4)],
        reply: try ModelReference(key: "a.example", 5), readAt: readAt, visits: visits),
      Status(
        server: "a.example", id: 6, account: account(2),
        reply: try ModelReference(key: "a.example", 7), readAt: readAt, visits: visits),
      Status(
        server: "a.example", id: 8, account: account(2),
        reply: try ModelReference(key: "b.example", 9), readAt: readAt, visits: visits),
    ]
  }

  @Test(arguments: [false, true])
  func modelsAndTheModelsInsideThemHaveTheValue(isDiagnostic: Bool) throws {
    let adapter = isDiagnostic ? adapter.withoutFastPath : adapter

    #expect(try adapter.models(from: text) == expected())
    let (date, data) = (Date(timeIntervalSince1970: 9), Data(text.utf8))
    let all = adapter.setting(\.readAt, to: date).setting(\.visits, to: 1).setting(\.visits, to: 2)
    #expect(try all.models(from: data) == expected(readAt: date, visits: 2))
    #expect(try adapter.models(from: data) == expected())
  }

  @Test func aNestedModelCanHaveTheKeyAlone() throws {
    let adapter = JSONAdapter<Timeline>().setting(\Status.server, to: "a.example")

    #expect(try adapter.model(from: #"{"items":\#(text)}"#).items == expected())
  }

  @Test func partialModelsHaveTheValue() throws {
    let partial = try adapter.partial(from: #"{"id":1}"#)
    let all = try adapter.partials(from: text)

    #expect(partial.keys.map(\.name) == ["server", "id"])
    let servers = ([partial] + all).map { part -> String? in part[\.server] }
    #expect(servers == ["a.example", "a.example", "a.example", "a.example"])
    #expect(try JSONAdapter<Status>().partial(from: #"{"id":1}"#).keys.map(\.name) == ["id"])
  }

  private let messages = #"""
    [{"id":1,"language":"en","attachment":{"type":"image","url":"u"},"accounts":[{"id":2},{}]},
     {"id":3,"attachment":{"type":"link","id":4}}]
    """#

  private var expectedMessages: [Message] {
    let origin = Origin(server: "a.example")
    let account = Account(server: "a.example", id: 2)
    return [
      Message(
        id: 1, origin: Origin(server: "a.example", language: "en"),
        attachment: .image(Image(server: "a.example", url: "u")), accounts: LossyArray([account])),
      Message(
        id: 3, origin: origin, attachment: .link(Account(server: "a.example", id: 4)),
        accounts: LossyArray([])),
    ]
  }

  @Test(arguments: [false, true])
  func inlinedModelsVariantsAndLossyArraysHaveTheValue(isDiagnostic: Bool) throws {
    let setting = JSONAdapter<Message>().setting(\Origin.server, to: "a.example")
    let adapter = isDiagnostic ? setting.withoutFastPath : setting

    let models = try adapter.models(from: messages)

    #expect(models.map(\.origin) == expectedMessages.map(\.origin))
    #expect(models.map(\.attachment) == expectedMessages.map(\.attachment))
    #expect(models.map(\.accounts.elements) == expectedMessages.map(\.accounts.elements))
    #expect(models.map(\.accounts.dropped.count) == [1, 0])
    let partials = try adapter.partials(from: messages)
    #expect(partials.map { $0[\.attachment] ?? nil } == expectedMessages.map(\.attachment))
  }

  @Test func elementsOfStreamsAndLossyModelsHaveTheValue() async throws {
    var streamed: [Status] = []
    for try await element in adapter.elements(from: ByteSequence(Array(text.utf8))) {
      streamed.append(try element.model)
    }
    let lossy = try adapter.lossyModels(from: Data("[{},\(text.dropFirst())".utf8))

    #expect(try streamed == expected())
    #expect(try lossy.models == expected())
  }

  @Test func aRequiredValueThatIsNotSetIsAnError() throws {
    let error = #expect(throws: MappingError.self) { try JSONAdapter<Status>().models(from: text) }

    let note = "documents do not contain it: set it with `setting(_:to:)` of the adapter"
    #expect(
      error?.errors.prefix(2).map(\.description) == [
        "missing value for `Status.server` at /0, 1:2; \(note)",
        "missing value for `Account.server` at /0/account, 1:20; \(note)",
      ])
  }

  @Test func onlyStoreOnlyKeysCanBeSet() throws {
    let documented = JSONAdapter<Status>().setting(\.id, to: 1)
    let unmapped = JSONAdapter<Status>().setting(\.account.name, to: "x")

    #expect(
      #expect(throws: MappingError.self) { try documented.models(from: "[]") }?.description
        == "invalid mapping: `Status` - an adapter sets `id`, which documents contain; only keys"
        + " with the trait `storeOnly` can be set")
    #expect(
      #expect(throws: MappingError.self) { try unmapped.model(from: "{}") }?.description
        == "invalid mapping: `Status` - an adapter sets `\\Status.account.name`, which is"
        + " not a key")
  }

  @Test func partialModelsAreNotDecodedWithAnInvalidSetting() {
    let adapter = JSONAdapter<Origin>().setting(\.language, to: "en")

    for text in [#"{"language":"de"}"#, "{"] {
      let error = #expect(throws: MappingError.self) { try adapter.partial(from: text) }
      #expect(error?.code == .invalidDeclaration)
    }
  }

  @Test func aValueOfAnotherTypeIsNotSet() throws {
    struct Other: MappedModel {
      var server = 1
      var status: Status
      static let mapping = Mapping(
        "Other", Other.init, .key("server", \.server, default: 1, .storeOnly),
        .key("status", \.status))
    }
    let json = #"{"status":{"id":1,"account":{"id":2}}}"#

    let other = try JSONAdapter<Other>().setting(\Status.server, to: "a").model(from: json)

    #expect(other.server == 1)
    #expect(other.status.account.server == "a")
    let partial = try JSONAdapter<Other>().setting(\Status.server, to: "a").partial(from: json)
    #expect(partial.keys.map(\.name) == ["status"])
    #expect(partial[\.status]?.server == "a")
  }

  @Test func nilIsAValue() throws {
    let adapter = adapter.setting(\.readAt, to: nil)

    let partial = try adapter.partial(from: #"{"id":1}"#)

    #expect(partial.keys.map(\.name) == ["server", "id", "readAt"])
    #expect(partial[\.readAt] == .some(nil))
  }

  @Test func documentsDoNotContainTheValue() throws {
    let models = try adapter.models(from: #"[{"id":1,"account":{"id":2}}]"#)

    #expect(
      try adapter.text(from: models)
        == #"[{"id":1,"account":{"id":2,"name":""},"mentions":[]}]"#)
  }
}
