import CommandTesting
import EpisodeFeed
import Foundation
import Moho
import Testing

/// The completion scripts of the programs, and the candidates from data.
@Suite struct CompletionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: ["episode-feed", "failed-banks", "issues", "tasks", "wells"])
  func everyProgramHasCompletionScripts(program: String) async throws {
    for shell in ["bash", "zsh", "fish"] {
      let result = try await Tool(program).run(["--generate-completion-script", shell], in: folder)

      #expect(result.status == 0, "\(shell)")
      #expect(result.errors == "", "\(shell)")
      #expect(result.output.contains(program), "\(shell)")
      #expect(HostileText.harm(in: result.output.replacing("\t", with: " ")) == [], "\(shell)")
      if shell == "bash" {
        let path = try folder.file("completion.bash", Data(result.output.utf8))
        #expect(try await bash(["-n", path]).status == 0)
      }
    }
  }

  private func bash(_ arguments: [String]) async throws -> Tool.Result {
    // `env` runs bash with the name of a tool as its first argument.
    try await Tool("episode-feed").run(
      [], in: folder, prefix: ["bash"] + arguments + ["--"])
  }

  private func candidates(_ words: String..., position: Int) async throws -> [String] {
    let store = ["--store", "store.sqlite"]
    let line = ["episode-feed"] + words + store
    let last = line[position]
    let result = try await Tool("episode-feed").run(
      ["---completion", words[0], "--", "positional@0", "\(position)", "\(last.count)"] + line,
      in: folder)
    #expect(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func idsOfEpisodesAreCandidates() async throws {
    let store = try ModelStore(path: folder.path("store.sqlite"), models: Episode.self)
    try await store.write { writer in
      _ = try writer.save((1...12).map { Episode(id: "\($0)", title: "Episode \($0)") })
    }

    let all = try await candidates("show", "", position: 2)
    let some = try await candidates("edit", "1", position: 2)

    #expect(Set(all) == Set((1...12).map { "\($0)" }))
    #expect(Set(some) == ["1", "10", "11", "12"])
  }

  @Test func idsThatAShellWouldExpandAreNotCandidates() async throws {
    let unsafe = [
      "$(touch pwned)", "`touch pwned`", "a;b", "a\nb", "a\u{1B}[2Jb", "a\u{202E}b", "a'b", "a\"b",
      "a\\b", "-rf", "~root", "a*", "a&b", "a|b", "${PATH}", "a>b", "a:b", "{a,b}", "#a",
      "a\u{E0041}",
    ]
    let store = try ModelStore(path: folder.path("store.sqlite"), models: Episode.self)
    try await store.write { writer in
      _ = try writer.save((unsafe + ["ok-1", "日本"]).map { Episode(id: $0, podcast: $0) })
    }

    #expect(try await Set(candidates("show", "", position: 2)) == ["ok-1", "日本"])
  }

  @Test func aMissingOrForeignStoreHasNoCandidates() async throws {
    #expect(try await candidates("show", "", position: 2) == [])
    #expect(!FileManager.default.fileExists(atPath: folder.path("store.sqlite")))
    _ = try folder.file("store.sqlite", Data("no database".utf8))
    #expect(try await candidates("show", "", position: 2) == [])
  }
}
