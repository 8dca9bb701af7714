import Foundation
import MohoJSON
import MohoMapping
import Testing

/// The conformance cases of validation, nested models, arrays, and models.
@Suite struct ModelConformanceTests {
  @Test func aModelWithoutARequiredNameIsNotValid() {
    let error = #expect(throws: MappingError.self) {
      try Case.Required.mapping.validated(Case.Required(name: nil))
    }
    #expect(error?.code == .failedValidation)
    #expect(error?.key == "name")
  }

  @Test func aValidationMayRepair() throws {
    #expect(try Case.SelfFixing.mapping.validated(Case.SelfFixing()).name == "foobar")
    #expect(try Case.decode("{}", as: Case.SelfFixing.self).name == "foobar")
  }

  @Test func allInvalidFieldsAreErrorsInDeclarationOrder() {
    let json = #"{"username":"far too long","count":5,"nested":{"name":1}}"#
    #expect(
      Case.error(json, as: Case.T.self)?.errors.map { $0.path?.pointer }
        == ["/username", "/count", "/nested/name"])
  }

  @Test func aNestedModelIsRead() throws {
    let json = #"{"model":{"username":null,"count":"1","nested":{"name":null}}}"#
    #expect(try Case.decode(json, as: Case.Nested.self).model == Case.T.make())
  }

  @Test func aNestedModelOfAnotherTypeIsAnErrorWithWhatWasFound() {
    #expect(Case.error(#"{"model":5}"#, as: Case.Nested.self)?.found == "number 5")
    #expect(Case.error(#"{"models":[null]}"#, as: Case.Models.self)?.code == .unexpectedNull)
  }

  @Test func nullElementsAreNilWhereTheElementTypeAllowsItElseAnError() throws {
    let elements = (0..<10).map { $0 == 2 ? "null" : #"{"count":"\#($0)"}"# }
    let json = #"{"models":[\#(elements.joined(separator: ","))]}"#

    let models = try Case.decode(json, as: Case.OptionalModels.self).models
    #expect(models.map { $0?.count } == [0, 1, nil, 3, 4, 5, 6, 7, 8, 9])
    #expect(Case.error(json, as: Case.Models.self)?.path?.pointer == "/models/2")
  }

  @Test func anotherTypeThanAnArrayIsAnError() {
    #expect(Case.error(#"{"tags":"a"}"#, as: Case.Tags.self)?.found == "string \"a\"")
  }

  @Test func anElementThatIsNotValidIsAnErrorWithItsPath() {
    let json = #"{"models":[{"username":"foo"},{"username":"far too long"}]}"#
    let error = Case.error(json, as: Case.Models.self)
    #expect(error?.code == .failedValidation)
    #expect(error?.path?.pointer == "/models/1/username")
  }

  @Test func mutuallyNestedTypesAreRead() throws {
    let json = #"{"owner":{"name":"Cameron"},"users":[{"name":"Dimitri"},{"name":"John"}]}"#
    let group = try Case.decode(json, as: Case.Group.self)
    #expect(group.owner?.name == "Cameron")
    #expect(group.users.count == 2)
  }

  // A type without a mapping is not a `FieldValue`, and a key of it does not
  // compile; what is left for run time is an object that is not the model's.
  @Test func anObjectThatIsNotTheNestedModelsIsAnErrorWithItsPath() {
    struct Conforming: MappedModel {
      var name: String
      static let mapping = Mapping("Conforming", Conforming.init, .key("name", \.name))
    }
    struct Holder: MappedModel {
      var nonConforming: Conforming
      static let mapping = Mapping("Holder", Holder.init, .key("nonConforming", \.nonConforming))
    }
    func isFieldValue<Value>(_: Value.Type) -> Bool { Value.self is any FieldValue.Type }

    let error = Case.error(#"{"nonConforming":{}}"#, as: Holder.self)
    #expect(error?.code == .missingValue)
    #expect(error?.path?.pointer == "/nonConforming/name")
    #expect(isFieldValue(Conforming.self))
    #expect(!isFieldValue(Case.Unmapped.self))
  }

  @Test func anArrayOfModelsIsReadInItsOrder() throws {
    let models = try JSONAdapter<Case.T>()
      .models(from: Data(#"[{"username":"foo"},{"username":"bar"}]"#.utf8))
    #expect(models.map(\.name) == ["foo", "bar"])
  }

  @Test func elementsThatAreNotObjectsAreErrorsWithTheirPaths() {
    let error = #expect(throws: MappingError.self) {
      try JSONAdapter<Case.T>().models(from: Data(#"["foo","bar"]"#.utf8))
    }
    #expect(error?.errors.map { $0.path?.pointer } == ["/0", "/1"])
  }

  @Test func anArrayOfModelsIsWritten() throws {
    let data = try JSONAdapter<Case.T>().data(from: [.make(name: "foo"), .make(name: "bar")])
    #expect(
      String(decoding: data, as: UTF8.self)
        == #"[{"username":"foo","count":"1"},{"username":"bar","count":"1"}]"#)
  }

  @Test func aModelWithoutPropertiesHasNoKeys() throws {
    #expect(Case.Empty.mapping.keys == [])
    #expect(Case.Empty.mapping.issues == [])
    #expect(try Case.encode(Case.decode("{}", as: Case.Empty.self)) == "{}")
  }

  @Test func absentKeysHaveTheirDefaults() throws {
    #expect(try Case.decode("{}") == Case.T.make(name: nil, count: 1, nestedName: nil))
  }

  // The view as a dictionary is what the mapping writes of a model, by its keys.
  @Test func aModelOfAllItsValuesShowsThem() throws {
    let model = Case.T.make(name: "foobar", count: 5, nestedName: "fuzzbuzz", isShown: true)

    let recorder = FieldRecorder()
    try Case.T.mapping.encode(model, to: recorder)
    let names = Case.T.mapping.keys.filter { !$0.isTransient }.map(\.name)
    #expect(
      Dictionary(uniqueKeysWithValues: zip(names, recorder.contents))
        == ["name": .string("foobar"), "count": .string("5"), "nestedName": .string("fuzzbuzz")])

    let view = Partial(model)
    #expect(view.keys.map(\.name) == names)
    #expect(view[\.name] == "foobar" && view[\.count] == 5 && view[\.nestedName] == "fuzzbuzz")
    #expect(view.applied(to: .make(isShown: true)) == model)
  }

  @Test func modelsWithOtherValuesDifferInTheirDescriptions() {
    #expect(
      Case.T.mapping.description(of: .make(name: "foobar", count: 5))
        != Case.T.mapping.description(of: .make()))
  }

  @Test func transientPropertiesDoNotCountAsADifference() {
    #expect(Case.T.mapping.areEqual(.make(isShown: true), .make(isShown: false)))
  }

  @Test func modelsAreMergedByThePoliciesOfTheirKeys() {
    let merged = Case.T.mapping.merge(
      .make(name: "bar", count: 3), into: .make(name: "foo", count: 5))
    #expect(merged == .make(name: "bar", count: 8))
  }

  @Test func aPartialModelMergesWhatItHasAndLeavesTheRest() throws {
    let part = try JSONAdapter<Case.T>().partial(from: Data(#"{"username":"foo"}"#.utf8))
    let model = Case.T.make(name: "bar", count: 3, nestedName: "n", isShown: true)
    #expect(part.applied(to: model) == .make(name: "foo", count: 3, nestedName: "n", isShown: true))
  }

  // Keys are what a mapping declares. A stored property that is not declared
  // leaves the initializer short of an argument, which does not compile.
  @Test func storedPropertiesOfEveryTypeAreKeysTransientOnesAreNot() {
    let model = Case.Mixed(number: 1, text: "a", object: .make(), note: 1)
    let mapping = Case.Mixed.mapping

    #expect(mapping.keys.filter { !$0.isTransient }.map(\.name) == ["number", "text", "object"])
    #expect(mapping.areEqual(model, Case.Mixed(number: 1, text: "a", object: .make(), note: 2)))
    for other in [
      Case.Mixed(number: 2, text: "a", object: .make(), note: 1),
      Case.Mixed(number: 1, text: nil, object: .make(), note: 1),
      Case.Mixed(number: 1, text: "a", object: .make(count: 2), note: 1),
    ] {
      #expect(!mapping.areEqual(model, other))
    }
  }

  // There are no subclasses; a property that a protocol asks for is the
  // struct's own.
  @Test func aPropertyThatAProtocolDeclaresTooIsAKey() throws {
    func name(_ named: any Case.Named) -> String? { named.name }
    let model = try Case.decode(#"{"username":"foo"}"#, as: Case.T.self)

    #expect(name(model) == "foo")
    #expect(Case.T.mapping.key(for: \.name)?.isTransient == false)
    #expect(!Case.T.mapping.areEqual(model, .make(name: "bar")))
  }

  // Values of two types are not compared unless their types are erased.
  @Test func valuesOfDifferentTypesAreNeverEqualWhateverTheirFields() throws {
    let (one, other) = (Case.Str(string: "a"), Case.SecondStr(string: "a"))
    let (recorder, otherRecorder) = (FieldRecorder(), FieldRecorder())
    try Case.Str.mapping.encode(one, to: recorder)
    try Case.SecondStr.mapping.encode(other, to: otherRecorder)

    #expect(recorder.contents == otherRecorder.contents)
    #expect(AnyHashable(one) != AnyHashable(other))
    #expect(AnyHashable(one) == AnyHashable(Case.Str(string: "a")))
    #expect(Case.Str.mapping.description(of: one) != Case.SecondStr.mapping.description(of: other))
  }

  @Test func whatATransformThrowsIsInTheErrorAndItsDescription() throws {
    let error = try #require(Case.error(#"{"value":"x"}"#, as: Case.Throwing.self))

    #expect(error.code == .invalidValue)
    #expect(error.underlying as? Case.Reason == Case.Reason(description: "Just Testing"))
    #expect(error.path?.pointer == "/value")
    #expect(error.description.hasSuffix(": Just Testing"))
    let empty = try #require(Case.error(#"{"value":""}"#, as: Case.Throwing.self))
    #expect(empty.underlying as? Case.Reason == Case.Reason(description: ""))
    #expect(empty.description.hasSuffix(": "))
  }

  @Test func keysWithoutAPathUseTheirNames() {
    #expect(Case.Group.mapping.keys.map { $0.source?.pointer } == ["/owner", "/users"])
  }
}
