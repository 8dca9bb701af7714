import Foundation
import MohoJSON
import MohoMapping
import Testing

/// The model of Mantle's own specs, as of version 1.
private struct Archived: MappedModel, Equatable {
  var name: String?
  var count: Int
  var note: String?
  var draft: String?

  static let mapping = Mapping(
    "Archived", Archived.init,
    .key("name", \.name),
    .key("count", \.count, default: 1),
    .key("note", \.note, default: "none"),
    .transient(\.draft, default: nil)
  )
  .validating(\.name, "at most 9 characters") { ($0?.count ?? 0) < 10 }
}

private struct Refusal: Error {}

@Suite struct ModelArchiveTests {
  private let archive = ModelArchive<Archived>(
    version: 2,
    upgrades: [
      0: { json in
        if case .string(let name)? = json["mtl_name"] { json["name"] = .string("M: \(name)") }
        json["mtl_name"] = nil
      },
      1: { json in
        if case .integer(let count)? = json["count"] { json["count"] = .integer(count * 10) }
      },
    ])

  private func model(_ text: String) throws -> Archived {
    try archive.model(from: Data(text.utf8))
  }

  private func archiveError(_ body: () throws -> Void) -> ArchiveError? {
    #expect(throws: ArchiveError.self) { try body() }
  }

  @Test func archivesContainOnlyTheVersionAndTheKeys() throws {
    let model = Archived(name: "foobar", count: 5, note: "n", draft: "d")

    let data = try archive.data(from: model)

    #expect(
      data.text == #"{"version":2,"model":{"name":"foobar","count":5,"note":"n"}}"#)
  }

  @Test func aValueOfAnotherTypeIsAnError() {
    #expect(
      messages { _ = try model(#"{"version":2,"model":{"name":5,"count":"5"}}"#) } == [
        "invalid type: number 5, expected string - `Archived.name` at /model/name",
        "invalid type: string \"5\", expected integer - `Archived.count` at /model/count",
      ])
  }

  @Test(arguments: [
    ("foobar" as String?, 5, "n" as String?), (nil, 0, "none"), ("", .max, nil),
  ])
  func aModelReadsBackEqual(name: String?, count: Int, note: String?) throws {
    let model = Archived(name: name, count: count, note: note)

    #expect(try archive.model(from: archive.data(from: model)) == model)
  }

  @Test func transientPropertiesAreNotArchived() throws {
    let data = try archive.data(from: Archived(name: "a", count: 5, draft: "d"))

    #expect(try archive.model(from: data).draft == nil)
  }

  @Test(arguments: [
    (#"{"version":0,"model":{"mtl_name":"foobar","count":5}}"#, "M: foobar", 50),
    (#"{"version":1,"model":{"name":"foobar","count":5}}"#, "foobar", 50),
    (#"{"model":{"name":"foobar","count":5},"version":2}"#, "foobar", 5),
  ])
  func anOlderArchiveIsUpgradedStepByStep(text: String, name: String, count: Int) throws {
    let model = try model(text)

    #expect(model.name == name)
    #expect(model.count == count)
  }

  @Test func aNewerArchiveIsRefusedWithBothVersions() {
    let error = archiveError { _ = try model(#"{"version":3,"model":{}}"#) }

    #expect(error?.code == .newerVersion)
    #expect(error?.foundVersion == 3)
    #expect(error?.version == 2)
    #expect(
      error?.description
        == "newer version: archive of `Archived` has version 3, expected up to 2")
  }

  @Test func nilIsNotWrittenAndReadAsTheDefault() throws {
    let data = try archive.data(from: Archived(name: nil, count: 5, note: "n"))

    #expect(data.text == #"{"version":2,"model":{"count":5,"note":"n"}}"#)
    #expect(try archive.model(from: data).name == nil)
    #expect(try model(#"{"version":2,"model":{}}"#) == Archived(count: 1, note: "none"))
  }

  // For keys whose default would replace nil.
  @Test func nilIsNullWhereTheKeyHasADefault() throws {
    let data = try archive.data(from: Archived(name: nil, count: 5, note: nil))

    #expect(data.text == #"{"version":2,"model":{"count":5,"note":null}}"#)
    #expect(try archive.model(from: data).note == nil)
  }

  @Test(arguments: [0, 2])
  func decodedModelsAreValidated(version: Int) {
    let text = #"{"version":\#(version),"model":{"name":"far too long"}}"#
    #expect(
      messages { _ = try model(text) } == [
        "failed validation: string \"far too long\", expected at most 9 characters"
          + " - `Archived.name` at /model/name"
      ])
  }

  @Test func onlyAnErrorOfTextThatWasNotUpgradedHasAPosition() {
    for (version, hasPosition) in [(1, false), (2, true)] {
      let error = #expect(throws: MappingError.self) {
        try model(#"{"version":\#(version),"model":{"name":5}}"#)
      }
      #expect((error?.position != nil) == hasPosition)
    }
  }

  @Test(arguments: [
    ("[]", "invalid type: array, expected object - `Archived` at /"),
    (#"{"version":2}"#, "missing value for `Archived` at /model"),
    (#"{"version":1,"model":[]}"#, "invalid type: array, expected object - `Archived` at /model"),
  ])
  func anArchiveWithoutAModelIsAnError(text: String, message: String) {
    #expect(messages { _ = try model(text) } == [message])
  }

  @Test(arguments: ["null", "-1", "1.5", "\"2\"", "{}"])
  func versionsThatAreNotNumbersAreErrors(version: String) {
    let error = archiveError { _ = try model(#"{"version":\#(version),"model":{}}"#) }

    #expect(error?.code == .invalidVersion)
    #expect(
      error?.description
        == "invalid version: archive of `Archived`: invalid type: \(version),"
        + " expected version number - value at /version")
  }

  @Test(arguments: ["{}", #"{"model":{"count":5}}"#, #"{"Version":2,"model":{}}"#])
  func anArchiveWithoutAVersionIsRefused(text: String) {
    let error = archiveError { _ = try model(text) }

    #expect(error?.code == .missingVersion)
    #expect(
      error?.description
        == "missing version: archive of `Archived`, expected `version` up to 2")
  }

  @Test(arguments: [(0, 50), (1, 50), (2, 5)])
  func anArchiveDeclaresTheVersionOfUnversionedDocuments(version: Int, count: Int) throws {
    let archive = ModelArchive<Archived>(
      version: 2, unversioned: version,
      upgrades: [
        0: { json in json["count"] = 5 },
        1: { json in
          if case .integer(let count)? = json["count"] { json["count"] = .integer(count * 10) }
        },
      ])

    #expect(archive.unversioned == version)
    #expect(try archive.model(from: Data(#"{"model":{"count":5}}"#.utf8)).count == count)
    #expect(try archive.model(from: Data(#"{"version":2,"model":{"count":5}}"#.utf8)).count == 5)
  }

  @Test func textThatIsNotJSONIsAnError() {
    #expect(throws: JSONError.self) { try model("{") }
  }

  @Test func anArchiveThatIsTooOldIsAnError() {
    let archive = ModelArchive<Archived>(version: 3, upgrades: [2: { _ in }])

    let error = archiveError {
      _ = try archive.model(from: Data(#"{"version":0,"model":{}}"#.utf8))
    }

    #expect(error?.code == .missingUpgrade)
    #expect(
      error?.description
        == "missing upgrade: archive of `Archived` has version 0, which has no upgrade to 3")
  }

  @Test func failedUpgradesAreNamed() {
    let archive = ModelArchive<Archived>(
      version: 2, upgrades: [0: { _ in }, 1: { _ in throw Refusal() }])

    let error = archiveError {
      _ = try archive.model(from: Data(#"{"version":0,"model":{}}"#.utf8))
    }

    #expect(error?.code == .failedUpgrade)
    #expect(error?.underlying is Refusal)
    #expect(
      error?.description
        == "failed upgrade: archive of `Archived` from version 1 to 2: Refusal()")
  }

  @Test func upgradesMustReturnObjects() {
    let archive = ModelArchive<Archived>(version: 1, upgrades: [0: { $0 = [] }])

    #expect(
      messages { _ = try archive.model(from: Data(#"{"version":0,"model":{}}"#.utf8)) } == [
        "invalid type: array, expected object - `Archived` at /model"
      ])
  }

  @Test func declarationIssuesAreErrorsOfEveryCall() {
    let archives: [(ModelArchive<Archived>, String)] = [
      (ModelArchive(version: -1), "version -1 is negative"),
      (
        ModelArchive(version: 1, upgrades: [0: { _ in }, 0: { _ in }]),
        "version 0 has two upgrades"
      ),
      (
        ModelArchive(version: 1, upgrades: [1: { _ in }]),
        "the upgrade of version 1 is not below version 1"
      ),
      (
        ModelArchive(version: 3, upgrades: [0: { _ in }, 2: { _ in }]), "version 1 has no upgrade"
      ),
      (
        ModelArchive(version: 1, unversioned: 0),
        "documents without a version have version 0, which is not read"
      ),
      (
        ModelArchive(version: 1, unversioned: 2, upgrades: [0: { _ in }]),
        "documents without a version have version 2, which is not read"
      ),
    ]

    for (archive, problem) in archives {
      let reading = archiveError { _ = try archive.model(from: Data("{}".utf8)) }
      let writing = archiveError { _ = try archive.data(from: Archived(count: 1)) }
      #expect(reading?.code == .invalidDeclaration)
      #expect(reading?.description == "invalid archive: archive of `Archived` - \(problem)")
      #expect(reading?.description == writing?.description)
    }
  }
}

@Suite struct JSONValueChangingTests {
  @Test func aMemberIsReplacedAddedAndRemoved() {
    var json: JSONValue = ["a": 1, "b": 2]

    json["a"] = 3
    json["c"] = .null
    json["b"] = nil
    json["x"] = nil

    #expect(json == ["a": 3, "c": nil])
  }

  @Test func assigningAMemberMakesAValueAnObject() {
    var json: JSONValue = "text"

    json["a"] = nil
    #expect(json == "text")

    json["a"] = 1
    #expect(json == ["a": 1])
  }
}
