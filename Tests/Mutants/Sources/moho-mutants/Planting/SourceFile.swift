import Foundation

/// A file of the library, and the mutations that are possible in it.
struct SourceFile {
  var path: String
  var source: String
  var mutations: [Mutation]

  init(path: String, root: URL) throws {
    self.path = path
    source = try String(contentsOf: root.appending(path: path), encoding: .utf8)
    mutations = MutationFinder.mutations(of: source, file: path)
  }

  /// The file with switches for mutants.
  func planted(_ mutants: [(mutation: Mutation, number: Int)]) -> String {
    var bytes = Array(source.utf8)
    let order = mutants.sorted { $0.mutation.bytes.lowerBound > $1.mutation.bytes.lowerBound }
    for (mutation, number) in order {
      let code = mutation.code.replacing(Mutation.condition, with: "MohoMutant.isOn(\(number))")
      bytes.replaceSubrange(mutation.bytes, with: Array(code.utf8))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
