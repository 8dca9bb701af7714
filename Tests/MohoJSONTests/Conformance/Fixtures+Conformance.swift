import Foundation
import MohoJSON
import MohoMapping

/// The models of the conformance cases.
enum Case {
  struct T: MappedModel, Equatable {
    var name: String?
    var count: UInt
    var nestedName: String?
    var isShown: Bool

    static let mapping = Mapping(
      "T", T.init,
      .key("name", \.name, json: "username"),
      .key("count", \.count, .leadingInteger, default: UInt(1)),
      .key("nestedName", \.nestedName, json: "nested.name"),
      .transient(\.isShown, default: false)
    )
    .validating(\.name, "at most 9 characters") { ($0?.count ?? 0) < 10 }
    .merging(\.count) { stored, incoming in stored + incoming }

    static func make(
      name: String? = nil, count: UInt = 1, nestedName: String? = nil, isShown: Bool = false
    ) -> T {
      T(name: name, count: count, nestedName: nestedName, isShown: isShown)
    }
  }

  struct U: MappedModel, Equatable {
    var url: URL?
    var otherURL: URL?
    static let mapping = Mapping(
      "U", U.init, .key("URL", \.url), .key("otherURL", \.otherURL, Transform<URL>.standard))
  }

  struct ID: MappedModel, Equatable {
    var uuid: UUID
    var otherUUID: UUID?
    static let mapping = Mapping(
      "ID", ID.init, .key("UUID", \.uuid), .key("otherUUID", \.otherUUID))
  }

  struct B: MappedModel, Equatable {
    var flag: Bool
    static let mapping = Mapping("B", B.init, .key("flag", \.flag))
  }

  struct Str: MappedModel, Hashable {
    var string: String?
    static let mapping = Mapping("Str", Str.init, .key("string", \.string))
  }

  struct SecondStr: MappedModel, Hashable {
    var string: String?
    static let mapping = Mapping("SecondStr", SecondStr.init, .key("string", \.string))
  }

  /// A type without a mapping.
  struct Unmapped {}

  protocol Named { var name: String? { get } }

  struct Mixed: MappedModel, Equatable {
    var number: Int
    var text: String?
    var object: T
    var note: Int
    static let mapping = Mapping(
      "Mixed", Mixed.init, .key("number", \.number), .key("text", \.text),
      .key("object", \.object), .transient(\.note, default: 0))
  }

  struct Reason: Error, Equatable, CustomStringConvertible { let description: String }

  struct Throwing: MappedModel {
    var value: String
    static let mapping = Mapping(
      "Throwing", Throwing.init,
      .key(
        "value", \.value,
        Transform(
          .string,
          read: { decoder, index in
            throw Reason(description: try decoder.string(at: index).isEmpty ? "" : "Just Testing")
          },
          write: { value, encoder, index in try encoder.encode(value, at: index) })))
  }

  struct WithDefault: MappedModel, Equatable {
    var name: String?
    static let mapping = Mapping(
      "WithDefault", WithDefault.init, .key("name", \.name, default: .some("x")))
  }

  struct Number: MappedModel, Equatable {
    var n: Int
    static let mapping = Mapping("Number", Number.init, .key("n", \.n))
  }

  struct Deep: MappedModel, Equatable {
    var value: String?
    static let mapping = Mapping("Deep", Deep.init, .key("value", \.value, json: "a.b.c"))
  }

  struct Required: MappedModel, Equatable {
    var name: String?
    static let mapping = Mapping("Req", Required.init, .key("name", \.name))
      .validating(\.name, "a name") { $0 != nil }
  }

  struct SelfFixing: MappedModel, Equatable {
    var name: String?
    static let mapping = Mapping("SelfFix", SelfFixing.init, .key("name", \.name))
      .repairing(\.name) { $0 ?? "foobar" }
      .validating(\.name, "a name") { $0 != nil }
  }

  struct Tags: MappedModel, Equatable {
    var tags: [String]
    static let mapping = Mapping("Tags", Tags.init, .key("tags", \.tags))
  }

  struct Models: MappedModel, Equatable {
    var models: [T]
    static let mapping = Mapping("Models", Models.init, .key("models", \.models))
  }

  struct OptionalModels: MappedModel, Equatable {
    var models: [T?]
    static let mapping = Mapping("OptionalModels", OptionalModels.init, .key("models", \.models))
  }

  struct Nested: MappedModel, Equatable {
    var model: T?
    static let mapping = Mapping("Nested", Nested.init, .key("model", \.model))
  }

  struct User: MappedModel, Equatable {
    var name: String?
    var groups: [Group]
    static let mapping = Mapping(
      "User", User.init, .key("name", \.name), .key("groups", \.groups, default: [Group]()))
  }

  struct Group: MappedModel, Equatable {
    var owner: User?
    var users: [User]
    static let mapping = Mapping(
      "Group", Group.init, .key("owner", \.owner), .key("users", \.users))
  }

  struct Empty: MappedModel, Equatable {
    static let mapping = Mapping("Empty", Empty.init)
  }

  static func decode<Model: MappedModel>(_ json: String, as: Model.Type = Model.self) throws
    -> Model
  {
    try JSONAdapter<Model>().model(from: Data(json.utf8))
  }

  static func error<Model: MappedModel>(_ json: String, as: Model.Type) -> MappingError? {
    do {
      _ = try decode(json, as: Model.self)
      return nil
    } catch {
      return error as? MappingError
    }
  }

  static func encode<Model: MappedModel>(
    _ model: Model, nullPolicy: NullPolicy = .omit
  ) throws -> String {
    try JSONAdapter<Model>(nullPolicy: nullPolicy).text(from: model)
  }
}

extension Case.T: Case.Named {}

extension Transform where Value == UInt {
  /// The integer at the beginning of a text, or 0.
  fileprivate static let leadingInteger = Transform<String>.standard.map(
    to: { UInt($0.prefix { $0.isASCII && $0.isNumber }) ?? 0 }, from: { "\($0)" })
}
