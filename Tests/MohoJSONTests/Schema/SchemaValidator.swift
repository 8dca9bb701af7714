import CommandTesting
import Foundation
import MohoJSON
import MohoMapping

/// An independent validator of JSON Schema: Python's `jsonschema`.
enum SchemaValidator {
  /// Whether the validator is installed.
  static let isInstalled: Bool = {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", "from jsonschema import Draft202012Validator"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  static let requirement = "requires python3 with the package jsonschema"

  /// Validates documents, and the schema itself.
  ///
  /// - Returns: For each document, whether it is valid.
  static func validate(_ documents: [Data], by schema: JSONValue) async throws -> [Bool] {
    let folder = try TemporaryFolder()
    let script = try folder.file("validate.py", Data(program.utf8))
    let lines = [try schema.data()] + documents
    let input = Data(lines.joined(separator: Data("\n".utf8)))
    let result = try await Tool("").run([], in: folder, input: input, prefix: ["python3", script])
    guard result.status == 0 else { throw Failure(description: result.errors) }
    return result.output.map { $0 == "1" }
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private static let program = """
    import json, sys
    from jsonschema import Draft202012Validator
    lines = sys.stdin.buffer.read().split(b"\\n")
    schema = json.loads(lines[0])
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    print("".join("01"[validator.is_valid(json.loads(line))] for line in lines[1:]), end="")
    """
}
