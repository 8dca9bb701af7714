import MohoMapping
import MohoTesting
import Testing

@Suite struct ValidationTests {
  private func decode(_ contents: FieldContent?...) throws -> TestModel {
    try TestModel.mapping.model(from: ContentDecoder(contents + [nil]))
  }

  @Test func aValidModelIsUnchanged() throws {
    #expect(
      try decode(.string("foo"), .uint64(2), nil, .string("child"), .int64(9))
        == .make(name: "foo", count: 2, role: "child", age: 9))
  }

  @Test func nilIsValidIfTheConditionAllowsIt() throws {
    #expect(try decode(.null, nil, nil, .string("x"), nil).name == nil)
  }

  @Test func aValueIsRepaired() throws {
    #expect(try decode(nil, nil, nil, .null, nil).role == "none")
    #expect(try TestModel.mapping.validated(.make(role: nil)).role == "none")
  }

  @Test func validationErrorsAreReportedWithOtherErrors() throws {
    let error = #expect(throws: MappingError.self) {
      try decode(.string("far too long"), .string("x"), nil, nil, nil)
    }

    #expect(error?.errors.map(\.code) == [.failedValidation, .invalidType])
    #expect(
      error?.description == """
        failed validation: string "far too long", expected at most 9 characters - `TestModel.name` at /0
        invalid type: string "x", expected integer - `TestModel.count` at /1
        """)
  }

  @Test func aFieldThatFailedToDecodeIsNotValidated() throws {
    let error = #expect(throws: MappingError.self) {
      try decode(.int64(1), nil, nil, .string("child"), .int64(80))
    }

    #expect(error?.errors.map(\.code) == [.invalidType])
  }

  @Test func wholeModelsAreValidated() throws {
    let error = #expect(throws: MappingError.self) {
      try decode(nil, nil, nil, .string("child"), .int64(80))
    }

    #expect(
      error?.description
        == "failed validation: nothing, expected an age that fits the role - `TestModel` at /")
  }

  @Test func aCreatedModelIsValidated() throws {
    let error = #expect(throws: MappingError.self) {
      try TestModel.mapping.validated(.make(name: "far too long"))
    }

    #expect(
      error?.description == "failed validation: string \"far too long\","
        + " expected at most 9 characters - `TestModel.name`")
    #expect(throws: MappingError.self) {
      try TestModel.mapping.validated(.make(role: "child", age: 18))
    }
    #expect(try TestModel.mapping.validated(.make(isShown: true)) == .make(isShown: true))
  }

  @Test func aRuleForAPropertyThatIsNotAKeyIsAnIssue() {
    let mapping = TestModel.mapping.validating(\.name?.count, "3") { $0 == 3 }

    #expect(mapping.issues.count == 1)
  }
}

private struct NotEven: Error, Equatable {}

private func even(_ number: Int) throws -> Bool {
  guard number.isMultiple(of: 2) else { throw NotEven() }
  return number < 100
}

private struct Even: MappedModel, Equatable {
  var number: Int

  static let mapping = Mapping<Even>("Even", Even.init, .key("number", \.number))
    .validating(\.number, "even number below 100") { try even($0) }

  static let whole = Mapping<Even>("Even", Even.init, .key("number", \.number))
    .validating("even number below 100") { try even($0.number) }
}

@Suite struct ThrowingValidationTests {
  @Test(arguments: [Even.mapping, Even.whole])
  fileprivate func anErrorOfAValidationIsTheUnderlyingError(_ mapping: Mapping<Even>) throws {
    let error = #expect(throws: MappingError.self) {
      try mapping.model(from: ContentDecoder([.int64(3)]))
    }

    #expect(error?.code == .failedValidation)
    #expect(error?.model == "Even")
    #expect(error?.expected == "even number below 100")
    #expect(error?.underlying as? NotEven == NotEven())
    #expect(throws: MappingError.self) { try mapping.validated(Even(number: 5)) }
  }

  @Test(arguments: [Even.mapping, Even.whole])
  fileprivate func validationsThatCanThrowDecideByTheirResult(_ mapping: Mapping<Even>) throws {
    #expect(try mapping.validated(Even(number: 4)) == Even(number: 4))

    let error = #expect(throws: MappingError.self) { try mapping.validated(Even(number: 102)) }

    #expect(error?.underlying == nil)
  }
}
