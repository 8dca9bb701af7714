import CommandTesting
import Foundation
import Testing

/// The first error of the compiler for common mistakes.
@Suite(.enabled(if: CompilerMessages.canCompile, "requires swiftc and the built modules"))
struct CompilerMessageTests {
  private static let valid = #"""
    struct Valid: MappedModel, Codable, Equatable {
      var id: Int
      static let mapping = Mapping("Valid", Valid.init, .key("id", \.id))
    }
    extension Fine: Codable {}
    func decode(_ decoder: any Decoder) throws -> Valid { try Valid(from: decoder) }
    """#

  @Test func theFirstErrorSaysWhatIsWrong() async throws {
    let codes = CompilerMistake.all.map(\.code) + [Self.valid]

    let errors = try await CompilerMessages.errors(of: codes)

    #expect(errors.last?.isEmpty == true, "\(errors)")
    for (mistake, errors) in zip(CompilerMistake.all, errors) {
      #expect(errors.first?.line == mistake.line, "\(mistake.name): \(errors)")
      // Other versions of the compiler may word their own errors in another way.
      #if compiler(>=6.3)
        #expect(errors.first?.message == mistake.text, "\(mistake.name): \(errors)")
      #endif
      // These models are not decodable, and no initializer from a decoder is meant.
      #expect(!errors.contains { $0.message.contains("Decod") }, "\(mistake.name): \(errors)")
    }
  }
}

private enum CompilerMessages {
  struct Message {
    let line: Int
    let column: Int
    let message: String
  }

  private static let modules = Tool("Modules").url

  static let canCompile: Bool = {
    let needed = ["MohoMapping", "MohoRows"].map { "\(modules.path)/\($0).swiftmodule" }
    guard needed.allSatisfy(FileManager.default.fileExists(atPath:)) else { return false }
    let paths = ProcessInfo.processInfo.environment["PATH", default: ""].split(separator: ":")
    return paths.contains { FileManager.default.isExecutableFile(atPath: "\($0)/swiftc") }
  }()

  /// Type-checks files, each of which begins with two imports, and returns the errors
  /// of each file, in the order of its lines.
  static func errors(of codes: [String]) async throws -> [[Message]] {
    let folder = try TemporaryFolder()
    let header = "import MohoMapping\nimport MohoRows\n"
    var files = [try folder.file("Common.swift", Data(CompilerMistake.common.utf8))]
    for (index, code) in codes.enumerated() {
      files.append(try folder.file("Code\(index).swift", Data((header + code).utf8)))
    }
    // With several jobs, the compiler would stop after the first file with errors.
    let result = try await Tool("Modules").run(
      ["-swift-version", "6", "-typecheck", "-wmo"] + files, in: folder, prefix: ["swiftc", "-I"])
    var errors: [[Message]] = codes.map { _ in [] }
    for line in (result.errors + result.output).split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 4)
      guard parts.count == 5, parts[3] == " error", let number = Int(parts[1]),
        let column = Int(parts[2])
      else { continue }
      let name = parts[0].split(separator: "/").last?.dropFirst(4).dropLast(6) ?? ""
      let index = try #require(Int(name), "\(line)")
      // The group of a diagnostic is not part of its text.
      let text = parts[4].dropFirst().replacing(/\s\[#\w+\]$/, with: "")
      errors[index].append(Message(line: number - 2, column: column, message: String(text)))
    }
    return errors.map { $0.sorted { ($0.line, $0.column) < ($1.line, $1.column) } }
  }
}
