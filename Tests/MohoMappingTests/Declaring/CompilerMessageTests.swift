import CommandTesting
import Foundation
import Testing

/// Messages of the compiler about mistakes in declarations.
@Suite(.enabled(if: CompilerMessages.canCompile, "requires swiftc and the built modules"))
struct CompilerMessageTests {
  private static let mistakes: [(code: String, message: String)] = [
    (
      "struct A: MappedModel { var id: Int; var user: User"
        + "; static let mapping = Mapping(\"A\", A.init, .key(\"id\", \\.id),"
        + " .toOne(\"user\", \\.user)) }",
      "the value of `.toOne` is a `MappedModel`, a `ModelReference`, or an optional of either"
    ),
    (
      "struct B: MappedModel { var id: Int; var user: User?"
        + "; static let mapping = Mapping(\"B\", B.init, .key(\"id\", \\.id),"
        + " .toOne(\"user\", \\.user, whenTargetIsDeleted: .cascade)) }",
      "the value of `.toOne` is a `MappedModel`, a `ModelReference`, or an optional of either"
    ),
    (
      "struct C: MappedModel { var id: Int; var users: [User]"
        + "; static let mapping = Mapping(\"C\", C.init, .key(\"id\", \\.id),"
        + " .toMany(\"users\", \\.users, default: [])) }",
      "the value of `.toMany` is an array or a set of a `MappedModel` or of a `ModelReference`"
    ),
    (
      "struct H: MappedModel { var id: Int; var fine: Fine?"
        + "; static let mapping = Mapping(\"H\", H.init, .key(\"id\", \\.id),"
        + " .toOne(\"fine\", \\.fine, onDelete: .cascade)) }",
      "use `whenTargetIsDeleted:` for what happens to this row when the related row is deleted"
    ),
    (
      // The article explains this message.
      "struct D: MappedModel { var id: Int; var title: String"
        + "; static let mapping = Mapping(\"D\", D.init, .key(\"id\", \\.id)) }",
      "missing argument for parameter #4 in call"
    ),
    (
      "func e(_ partial: inout Partial<Fine>) { partial[\\.title] = nil }",
      "'nil' cannot be assigned to subscript of type 'String'"
    ),
    (
      "func f(_ partial: inout Partial<Fine>) { partial[\\.note] = partial[\\.note] }",
      "unavailable: an absent key has no value to assign; use `merging(_:)` to copy keys"
    ),
    (
      "func g(_ partial: inout Partial<Fine>) { partial.clear(\\.title) }",
      "cannot convert value of type"
    ),
  ]

  @Test func theCompilerSaysWhatIsWrong() async throws {
    let folder = try TemporaryFolder()
    let header = """
      import MohoMapping
      struct User: Sendable { var login: String }
      struct Fine: MappedModel {
        var title: String
        var note: String?
        static let mapping = Mapping(
          "Fine", Fine.init, .key("title", \\.title), .key("note", \\.note))
      }

      """
    let code = header + Self.mistakes.map(\.code).joined(separator: "\n")
    let file = try folder.file("Mistakes.swift", Data(code.utf8))

    let errors = try await CompilerMessages.errors(of: file, in: folder)

    let firstLine = header.split(separator: "\n", omittingEmptySubsequences: false).count
    for (index, mistake) in Self.mistakes.enumerated() {
      let found = errors.filter { $0.line == firstLine + index }.map(\.message)
      #expect(found.contains { $0.contains(mistake.message) }, "\(mistake.code): \(found)")
    }
    #expect(errors.allSatisfy { $0.line >= firstLine })
  }
}

private enum CompilerMessages {
  private static let modules = Tool("Modules").url

  static let canCompile: Bool = {
    guard FileManager.default.fileExists(atPath: modules.path) else { return false }
    let paths = ProcessInfo.processInfo.environment["PATH", default: ""].split(separator: ":")
    return paths.contains { FileManager.default.isExecutableFile(atPath: "\($0)/swiftc") }
  }()

  /// Type-checks a file, and returns the errors.
  static func errors(
    of file: String, in folder: TemporaryFolder
  ) async throws -> [(line: Int, message: String)] {
    let result = try await Tool("Modules").run(
      ["-swift-version", "6", "-typecheck", file], in: folder, prefix: ["swiftc", "-I"])
    return (result.errors + result.output).split(separator: "\n").compactMap { line in
      let parts = line.split(separator: ":", maxSplits: 4)
      guard parts.count == 5, parts[3] == " error", let number = Int(parts[1]) else { return nil }
      return (number, String(parts[4]))
    }
  }
}
