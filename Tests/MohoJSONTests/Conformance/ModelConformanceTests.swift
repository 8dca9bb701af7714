import Foundation
import MohoJSON
import MohoMapping
import Testing

/// The conformance cases of validation, nested models, arrays, and models.
@Suite struct ModelConformanceTests {
  @Test("M-064: a model without a required name is not valid")
  func m064() {
    let error = #expect(throws: MappingError.self) {
      try Case.Required.mapping.validated(Case.Required(name: nil))
    }
    #expect(error?.code == .failedValidation)
    #expect(error?.key == "name")
  }

  @Test("M-066: a validation may repair")
  func m066() throws {
    #expect(try Case.SelfFixing.mapping.validated(Case.SelfFixing()).name == "foobar")
    #expect(try Case.decode("{}", as: Case.SelfFixing.self).name == "foobar")
  }

  @Test("M-068: all invalid fields are errors, in declaration order")
  func m068() {
    let json = #"{"username":"far too long","count":5,"nested":{"name":1}}"#
    #expect(
      Case.error(json, as: Case.T.self)?.errors.map { $0.path?.pointer }
        == ["/username", "/count", "/nested/name"])
  }

  @Test("M-070: a nested model is read")
  func m070() throws {
    let json = #"{"model":{"username":null,"count":"1","nested":{"name":null}}}"#
    #expect(try Case.decode(json, as: Case.Nested.self).model == Case.T.make())
  }

  @Test("M-072: a nested model of another type is an error with what was found")
  func m072() {
    #expect(Case.error(#"{"model":5}"#, as: Case.Nested.self)?.found == "number 5")
    #expect(Case.error(#"{"models":[null]}"#, as: Case.Models.self)?.code == .unexpectedNull)
  }

  @Test("M-074: null elements are nil where the element type allows it, else an error")
  func m074() throws {
    let elements = (0..<10).map { $0 == 2 ? "null" : #"{"count":"\#($0)"}"# }
    let json = #"{"models":[\#(elements.joined(separator: ","))]}"#

    let models = try Case.decode(json, as: Case.OptionalModels.self).models
    #expect(models.map { $0?.count } == [0, 1, nil, 3, 4, 5, 6, 7, 8, 9])
    #expect(Case.error(json, as: Case.Models.self)?.path?.pointer == "/models/2")
  }

  @Test("M-076: what is no array is an error with what was found")
  func m076() {
    #expect(Case.error(#"{"tags":"a"}"#, as: Case.Tags.self)?.found == "string \"a\"")
  }

  @Test("M-078: an element that is not valid is an error with its place")
  func m078() {
    let json = #"{"models":[{"username":"foo"},{"username":"far too long"}]}"#
    let error = Case.error(json, as: Case.Models.self)
    #expect(error?.code == .failedValidation)
    #expect(error?.path?.pointer == "/models/1/username")
  }

  @Test("M-080: types that hold each other are read")
  func m080() throws {
    let json = #"{"owner":{"name":"Cameron"},"users":[{"name":"Dimitri"},{"name":"John"}]}"#
    let group = try Case.decode(json, as: Case.Group.self)
    #expect(group.owner?.name == "Cameron")
    #expect(group.users.count == 2)
  }

  @Test("M-084: an array of models is read in its order")
  func m084() throws {
    let models = try JSONAdapter<Case.T>()
      .models(from: Data(#"[{"username":"foo"},{"username":"bar"}]"#.utf8))
    #expect(models.map(\.name) == ["foo", "bar"])
  }

  @Test("M-086: elements that are no objects are errors with their places")
  func m086() {
    let error = #expect(throws: MappingError.self) {
      try JSONAdapter<Case.T>().models(from: Data(#"["foo","bar"]"#.utf8))
    }
    #expect(error?.errors.map { $0.path?.pointer } == ["/0", "/1"])
  }

  @Test("M-088: an array of models is written")
  func m088() throws {
    let data = try JSONAdapter<Case.T>().data(from: [.make(name: "foo"), .make(name: "bar")])
    #expect(
      String(decoding: data, as: UTF8.self)
        == #"[{"username":"foo","count":"1"},{"username":"bar","count":"1"}]"#)
  }

  @Test("M-124: a model without properties has no keys")
  func m124() throws {
    #expect(Case.Empty.mapping.keys == [])
    #expect(Case.Empty.mapping.issues == [])
    #expect(try Case.encode(Case.decode("{}", as: Case.Empty.self)) == "{}")
  }

  @Test("M-126: absent keys have their defaults")
  func m126() throws {
    #expect(try Case.decode("{}") == Case.T.make(name: nil, count: 1, nestedName: nil))
  }

  @Test("M-130: models with other values differ in their descriptions")
  func m130() {
    #expect(
      Case.T.mapping.description(of: .make(name: "foobar", count: 5))
        != Case.T.mapping.description(of: .make()))
  }

  @Test("M-132: transient properties do not count as a difference")
  func m132() {
    #expect(Case.T.mapping.areEqual(.make(isShown: true), .make(isShown: false)))
  }

  @Test("M-134: models are merged by the policies of their keys")
  func m134() {
    let merged = Case.T.mapping.merge(
      .make(name: "bar", count: 3), into: .make(name: "foo", count: 5))
    #expect(merged == .make(name: "bar", count: 8))
  }

  @Test("M-136: a partial model merges what it has and leaves the rest")
  func m136() throws {
    let part = try JSONAdapter<Case.T>().partial(from: Data(#"{"username":"foo"}"#.utf8))
    let model = Case.T.make(name: "bar", count: 3, nestedName: "n", isShown: true)
    #expect(part.applied(to: model) == .make(name: "foo", count: 3, nestedName: "n", isShown: true))
  }

  @Test("M-144: keys without a path lie under their names")
  func m144() {
    #expect(Case.Group.mapping.keys.map { $0.source?.pointer } == ["/owner", "/users"])
  }
}
