import Foundation
import MohoJSON
import MohoMapping
import Testing

private struct Six: MappedModel, Equatable {
  var plain: Int?
  var asNull: Int?
  var omitted: Int?
  var defaulted: Int?
  var omittedDefaulted: Int?
  var absentDefaulted: Int?

  static let mapping = Mapping(
    "Six", Six.init,
    .key("plain", \.plain),
    .key("asNull", \.asNull, .nilAsNull),
    .key("omitted", \.omitted, .nilOmitted),
    .key("defaulted", \.defaulted, default: .some(1)),
    .key("omittedDefaulted", \.omittedDefaulted, default: .some(1), .nilOmitted),
    .key("absentDefaulted", \.absentDefaulted, default: .some(1), .nullIsAbsent))
}

extension Six: Codable {}

private struct Holder: MappedModel {
  var six: Six
  static let mapping = Mapping("Holder", Holder.init, .key("six", \.six))
}

@Suite struct NullPolicyTests {
  /// The keys that are written as null by each policy.
  private static let omit = ["asNull", "defaulted", "omittedDefaulted"]
  private static let null = ["plain", "asNull", "defaulted", "omittedDefaulted", "absentDefaulted"]

  private func keys(_ data: Data) throws -> [String] {
    guard case .object(let members)? = try JSONDocument(parsing: data).value() else { return [] }
    #expect(members.allSatisfy { $0.value == .null })
    return members.map(\.key)
  }

  @Test func keysOverrideCallsWhichOverrideTheAdapter() throws {
    for policy in [NullPolicy.omit, .null] {
      for call in [nil, NullPolicy.omit, .null] {
        let adapter = JSONAdapter<Six>(nullPolicy: policy)
        let expected = call ?? policy == .omit ? Self.omit : Self.null

        #expect(try keys(adapter.data(from: Six(), nullPolicy: call)) == expected)
        let array = try adapter.data(from: [Six()], nullPolicy: call)
        #expect(try keys(array.dropFirst().dropLast()) == expected)
        let nested = try JSONAdapter<Holder>(nullPolicy: policy).data(
          from: Holder(six: Six()), nullPolicy: call)
        #expect(try keys(nested.dropFirst(#"{"six":"#.count).dropLast()) == expected)
        // Nil decodes to nil, unless null is absence.
        let again = try adapter.model(from: adapter.data(from: Six(), nullPolicy: call))
        #expect(again == Six(absentDefaulted: 1))
      }
    }
  }

  @Test func everyNilOfAPartialModelIsNullUnlessTheCallSaysOtherwise() throws {
    let adapter = JSONAdapter<Six>()
    var partial = Partial<Six>()
    partial[\.plain] = .some(nil)
    partial[\.omitted] = .some(nil)
    partial[\.asNull] = .some(nil)

    #expect(try keys(adapter.data(from: partial)) == ["plain", "asNull", "omitted"])
    #expect(try keys(adapter.data(from: partial, nullPolicy: .omit)) == ["asNull"])
    #expect(
      try adapter.data(from: [partial, Partial(), partial], nullPolicy: .omit).text
        == #"[{"asNull":null},{},{"asNull":null}]"#)
  }

  @Test func codersOmitStoreOnlyKeys() throws {
    let text = try JSONEncoder().encode(Six())

    #expect(try keys(text).sorted() == Self.omit)
  }
}
