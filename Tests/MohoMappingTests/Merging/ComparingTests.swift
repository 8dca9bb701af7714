import Foundation
import MohoMapping
import Testing

@Suite struct ComparingTests {
  @Test func transientPropertiesAreNotCompared() {
    let model = TestModel.make(name: "foo")
    let shown = TestModel.make(name: "foo", isShown: true)

    #expect(model != shown)
    #expect(TestModel.mapping.areEqual(model, shown))
    #expect(TestModel.mapping.changedKeys(from: model, to: shown) == [])
  }

  @Test func changedKeysAreNamedInDeclarationOrder() {
    let changed = TestModel.mapping.changedKeys(
      from: TestModel.make(name: "foo", count: 1, age: 2),
      to: TestModel.make(name: nil, count: 1, age: 3))

    #expect(changed == ["name", "age"])
  }

  @Test func aDescriptionNamesKeysAndValues() {
    #expect(
      TestModel.mapping.description(of: TestModel.make(name: "a\nb", count: 2))
        == #"TestModel(name: "a\nb", count: 2, nestedName: null, role: "none", age: 0)"#)
  }

  @Test func equalContentsHaveEqualHashes() {
    let nan = Double.nan
    let pairs: [(FieldContent, FieldContent)] = [
      (.double(nan), .double(-nan)), (.double(nan), .double(Double(nan: 5, signaling: false))),
      (.double(0), .double(-0.0)), (.decimal(1), .decimal(Decimal(string: "1.00") ?? 0)),
      (
        .date(Date(timeIntervalSinceReferenceDate: nan)),
        .date(Date(timeIntervalSinceReferenceDate: -nan))
      ),
      (
        .date(Date(timeIntervalSinceReferenceDate: 0)),
        .date(Date(timeIntervalSinceReferenceDate: -0.0))
      ),
      (.array([.double(nan)]), .array([.double(-nan)])),
    ]
    for (one, other) in pairs {
      #expect(one == other)
      #expect(Set([one, other]).count == 1, "\(one)")
    }
  }
}
