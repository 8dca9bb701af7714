import CommandSupport
import CommandTesting
import Testing

@Suite struct HelpTests {
  private static let commands = [
    "episode-feed": [
      "import", "refresh", "feeds", "list", "show", "edit", "export", "watch", "serve", "demo",
    ],
    "tasks": ["add", "list", "done", "edit", "delete", "session"], "failed-banks": [],
    "issues": [], "wells": [],
  ]

  @Test func allProgramsPrintTheVersion() async throws {
    let folder = try TemporaryFolder()
    for program in Self.commands.keys {
      let result = try await Tool(program).run(["--version"], in: folder)

      #expect(result.status == 0, "\(program)")
      #expect(result.output == PackageVersion.current + "\n", "\(program)")
      #expect(result.errors == "", "\(program)")
    }
  }

  /// Manual pages omit other characters.
  @Test func helpHasOnlyASCIICharacters() async throws {
    let folder = try TemporaryFolder()
    for (program, commands) in Self.commands {
      for command in [[]] + commands.map({ [$0] }) {
        let help = try await Tool(program).run(command + ["--help"], in: folder)

        #expect(help.status == 0, "\(program) \(command)")
        let others = help.output.unicodeScalars.filter { !$0.isASCII }
        #expect(others.isEmpty, "\(program) \(command): \(others)")
      }
    }
  }
}
