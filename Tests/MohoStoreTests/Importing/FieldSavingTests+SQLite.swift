import Foundation
import MohoJSON
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

extension FieldSavingTests {
  @Test(.engine(.sqlite)) func oneStatementIsCarriedOutForEachObject() throws {
    let store = try emptyStore(ImportedShow.self)
    let text = (0..<50).map { #"{"id":\#($0),"title":"n"}"# }.joined(separator: ",")
    let fields = JSONAdapter<ImportedShow>().fields(from: Data("[\(text)]".utf8))

    let run = try statements(of: store) { try store.write { try $0.save(decoding: fields) } }

    #expect(run.statements.count == 50)
    #expect(Set(run.statements).count == 1)
  }
}
