import Foundation
import MohoJSON
import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Tests that model instances are created if they affect what is saved.
@Suite(.allEngines) struct ModelInstanceTests {
  /// Saves a JSON array and returns the stored models.
  private func saved<Model: MappedModel & Equatable>(
    _ text: String, as _: Model.Type, also others: any MappedModel.Type...
  ) throws -> [Model] {
    let schema = try Schema([Model.self] + others)
    let (store, expected) = (try emptyStore(schema), try emptyStore(schema))
    let adapter = JSONAdapter<Model>()

    let report = try store.write { try $0.save(decoding: adapter.fields(from: Data(text.utf8))) }
    #expect(report == (try expected.write { try $0.save(adapter.models(from: text)) }))

    let models = try store.fetch(ModelRequest<Model>())
    #expect(models == (try expected.fetch(ModelRequest<Model>())))
    return models
  }

  struct Plain: MappedModel, Equatable {
    var id: Int
    var name: String
    static let mapping = Mapping(
      "Plain", Plain.init, .key("id", \.id, .unique), .key("name", \.name))
  }

  @Test func repairsRun() throws {
    struct Repaired: MappedModel, Equatable {
      var id: Int
      var name: String
      static let mapping = Mapping<Self>(
        "Repaired", Self.init, .key("id", \.id, .unique), .key("name", \.name)
      ).repairing(\.name) { $0.isEmpty ? "untitled" : $0 }
    }

    #expect(
      try saved(#"[{"id":1,"name":""}]"#, as: Repaired.self) == [Repaired(id: 1, name: "untitled")])
  }

  @Test func validationsRefuse() throws {
    struct Valid: MappedModel, Equatable {
      var id: Int
      static let mapping = Mapping<Self>("Valid", Self.init, .key("id", \.id, .unique))
        .validating(\.id, "positive number") { $0 > 0 }
    }
    let store = try emptyStore(Valid.self)

    #expect(throws: MappingError.self) {
      try store.write {
        try $0.save(decoding: JSONAdapter<Valid>().fields(from: Data(#"[{"id":1},{"id":0}]"#.utf8)))
      }
    }
    #expect(try store.fetch(ModelRequest<Valid>()) == [])
  }

  @Test func computedPropertiesAreStoredAsTheyRead() throws {
    struct Computed: MappedModel, Equatable {
      var id: Int
      var first: String
      var name: String { first.uppercased() }
      static let mapping = Mapping<Self>(
        "Computed", { Computed(id: $0, first: $1) }, .key("id", \.id, .unique),
        .key("name", \.name, .standard))
    }
    #expect(Computed.mapping.issues == [])

    #expect(try saved(#"[{"id":1,"name":"a"}]"#, as: Computed.self).map(\.first) == ["A"])
  }

  @Test func anInitializerThatChangesValuesIsReported() throws {
    struct Trimmed: MappedModel, Equatable {
      var id: Int
      var name: String
      init(id: Int, name: String) {
        self.id = id
        self.name = name.trimmingCharacters(in: .whitespaces)
      }
      static let mapping = Mapping(
        "Trimmed", Trimmed.init(id:name:), .key("id", \.id, .unique), .key("name", \.name))
    }

    for odd in [0, 7, 8, 64] {
      let text = (0..<100).map { #"{"id":\#($0),"name":"\#($0 == odd ? " n " : "n")"}"# }
      let models = try saved("[\(text.joined(separator: ","))]", as: Trimmed.self)
      #expect(models.allSatisfy { $0.name == "n" })
    }
  }

  @Test func whatWritesNothingIsNull() throws {
    struct Mood: FieldValue, Equatable {
      var text: String
      static var fieldType: FieldType { .string }
      static var isOptionalField: Bool { true }
      static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Mood {
        try Mood(text: decoder.isNull(at: index) ? "" : decoder.string(at: index))
      }
      func encode(to encoder: any FieldEncoder, at index: Int) throws {
        if !text.isEmpty { try encoder.encode(text, at: index) }
      }
      static func sample(_ sample: FieldSample) -> Mood? { nil }
    }
    struct Guest: MappedModel, Equatable {
      var id: Int
      var mood: Mood
      static let mapping = Mapping(
        "Guest", Guest.init, .key("id", \.id, .unique), .key("mood", \.mood))
    }

    let models = try saved(
      #"[{"id":1,"mood":"glad"},{"id":2,"mood":null},{"id":3,"mood":"sad"}]"#, as: Guest.self)
    #expect(models.map(\.mood.text) == ["glad", "", "sad"])
  }

  @Test func relationsAreLinked() throws {
    struct Show: MappedModel, Equatable {
      var id: Int
      var plain: Plain?
      static let mapping = Mapping(
        "Show", Show.init, .key("id", \.id, .unique), .toOne("plain", \.plain))
    }

    let models = try saved(
      #"[{"id":1,"plain":{"id":2,"name":"n"}}]"#, as: Show.self, also: Plain.self)
    #expect(models == [Show(id: 1, plain: Plain(id: 2, name: "n"))])
  }

  @Test func othersAreDeletedFromAMirror() throws {
    let store = try emptyStore(Plain.self)
    try store.write { try $0.save([Plain(id: 1, name: "a"), Plain(id: 2, name: "b")]) }

    let report = try store.write {
      try $0.save(
        decoding: JSONAdapter<Plain>().fields(from: Data(#"[{"id":2,"name":"b"}]"#.utf8)),
        mode: .mirror(ModelRequest<Plain>(), deletingAtMost: 1))
    }

    #expect(report == SaveReport(unchanged: 1, deleted: 1))
  }

  @Test func adaptersThatLookForUnknownKeysStillDo() throws {
    let store = try emptyStore(Plain.self)
    let adapter = JSONAdapter<Plain>(unknownKeyPolicy: .refuse)

    #expect(throws: MappingError.self) {
      try store.write {
        try $0.save(decoding: adapter.fields(from: Data(#"[{"id":2,"name":"b","x":1}]"#.utf8)))
      }
    }
  }
}
