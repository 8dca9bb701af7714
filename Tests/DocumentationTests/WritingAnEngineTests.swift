import DocumentationTesting
import Foundation
import Testing

/// The tables of the article "Writing an engine" and the protocols between `MohoRows` and its
/// engines.
@Suite struct WritingAnEngineTests {
  /// Protocols of `MohoRows` that engines do not implement, and the reasons.
  private static let otherProtocols = [
    "FilterSubject": "evaluates conditions in memory"
  ]

  /// Requirements that the article omits, and the reasons.
  private static let omitted = [
    "RowSource.fetch(_:)": "MohoRows implements it for sessions",
    "RowSource.members(by:of:)": "MohoRows implements it for sessions",
    "RowSource.owners(by:of:)": "MohoRows implements it for sessions",
    "RowSource.rows(of:_:)": "MohoRows implements it for sessions",
  ]

  /// The types of an engine, whose requirements the article names without their protocol.
  private static let unnamedProtocols: Set = [
    "StoreEngine", "StoreSession", "RowSource", "HistorySource", "SQLDialect", "GraphStatements",
  ]

  private let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private let article = Article("Sources/Moho/Moho.docc/WritingAnEngine.md")

  private func sources(in folders: [String]) throws -> [String] {
    try folders.flatMap { folder in
      let files = FileManager.default.enumerator(
        at: root.appending(path: folder), includingPropertiesForKeys: nil)
      return try (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
        .map { try String(contentsOf: $0, encoding: .utf8) }
    }
  }

  private func requirements() throws -> [Requirement] {
    try sources(in: ["Sources/MohoRows"]).flatMap { Requirement.requirements(in: $0) }
      .filter { Self.otherProtocols[$0.type] == nil }
  }

  /// The requirements that the first column of the article's tables names.
  private func mentions() throws -> [Mention] {
    var mentions: [Mention] = []
    var isTable = false
    for row in try article.tableRows {
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      if cells[0].hasPrefix("requirement") || cells[0] == "part" {
        isTable = cells[0] != "part"
      } else if isTable, !cells[0].hasPrefix("-") {
        mentions += Mention.mentions(in: cells[0])
      }
    }
    return mentions
  }

  @Test func theArticleNamesEveryRequirement() throws {
    let requirements = try requirements()
    let mentions = try mentions()
    var unused = Set(Self.omitted.keys)

    #expect(requirements.count > 70)
    let unnamed = requirements.filter { requirement in
      unused.remove(requirement.description) == nil
        && !mentions.contains { $0.names(requirement, Self.unnamedProtocols) }
    }
    #expect(unnamed.map(\.description) == [], "not in the article")
    #expect(unused == [], "exceptions that are not necessary")
  }

  @Test func theArticleNamesNothingElse() throws {
    let requirements = try requirements()
    let mentions = try mentions()

    #expect(mentions.count > 70)
    let unknown = mentions.filter { mention in
      !requirements.contains { mention.names($0, Self.unnamedProtocols) }
    }
    #expect(unknown.map(\.description) == [], "not requirements of engines")
  }

  @Test func theProtocolsThatAreNotPartOfAnEngineExist() throws {
    let all = try sources(in: ["Sources/MohoRows"]).flatMap { Requirement.requirements(in: $0) }

    for name in Self.otherProtocols.keys { #expect(all.contains { $0.type == name }, "\(name)") }
  }

  @Test func allNamesInTheArticleExist() throws {
    let modules = ["MohoMapping", "MohoRows", "MohoSQLite", "MohoPostgres"].map { "Sources/\($0)" }
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let words = Set(
      try sources(in: modules + ["Tests/StoreTesting"]).flatMap { source in
        // Bytes are several times as fast as characters.
        source.utf8.split { !letters.contains($0 | 0x20) }.map(Array.init)
      })
    let names = try article.codeVoices.filter {
      !$0.hasSuffix("Tests") && !$0.hasSuffix(".swift")
        && $0.contains(/^[.]?[A-Za-z]+([.][A-Za-z]+)*(\([a-zA-Z:_]*\))?$/)
    }

    #expect(names.count > 200)
    let unknown = names.filter { name in
      name.split { !$0.isLetter }.contains { !words.contains(Array($0.utf8)) }
    }
    #expect(unknown == [])
  }
}

/// A requirement of a protocol.
private struct Requirement: CustomStringConvertible {
  let type: String
  let name: String
  /// The labels of the parameters, or nil for a property.
  let labels: [String]?

  var description: String { "\(type).\(name)" + (labels.map { "(\($0.joined()))" } ?? "") }

  /// Returns the requirements of the protocols in a source file that other modules implement.
  static func requirements(in source: String) -> [Requirement] {
    var type: String?
    var body = ""
    var requirements: [Requirement] = []
    for line in source.split(separator: "\n") {
      if let name = line.firstMatch(of: /^package protocol (\w+)/) {
        type = String(name.output.1)
        body = ""
      } else if line == "}", let name = type {
        requirements += body.matches(of: /(func|var) (\w+)/).map { match in
          let rest = body[match.range.upperBound...]
          return Requirement(
            type: name, name: String(match.output.2),
            labels: match.output.1 == "func" ? labels(rest) : nil)
        }
        type = nil
      } else if type != nil, !line.contains(/^ *\/\//) {
        body += line + "\n"
      }
    }
    return requirements
  }

  /// Returns the labels of the parameter list at the start of a text, each with a colon.
  private static func labels(_ text: Substring) -> [String] {
    guard let start = text.firstIndex(of: "(") else { return [] }
    var depth = 0
    var parameters = [""]
    for character in text[start...] {
      if "([<".contains(character) { depth += 1 }
      if ")]".contains(character) || character == ">" && parameters.last?.last != "-" { depth -= 1 }
      if depth == 0 { break }
      if character == ",", depth == 1 {
        parameters.append("")
      } else {
        parameters[parameters.count - 1].append(character)
      }
    }
    return parameters.compactMap { parameter in
      parameter.firstMatch(of: /\w+/).map { "\($0.output):" }
    }
  }
}

/// The name of a requirement in the article.
private struct Mention: CustomStringConvertible {
  /// The protocol, if the article names it.
  let type: String?
  let name: String
  /// The text in parentheses, if there is one.
  let labels: String?

  var description: String {
    (type.map { "\($0)." } ?? "") + name + (labels.map { "(\($0))" } ?? "")
  }

  /// Returns the names in a cell. Those that follow a name with a protocol have the same one.
  static func mentions(in cell: String) -> [Mention] {
    var type: String?
    return cell.matches(of: /`(?:(\w+)\.)?(\w+)(?:\(([^)]*)\))?`/).map { match in
      type = match.output.1.map(String.init) ?? type
      return Mention(
        type: type, name: String(match.output.2), labels: match.output.3.map(String.init))
    }
  }

  func names(_ requirement: Requirement, _ unnamedProtocols: Set<String>) -> Bool {
    guard name == requirement.name else { return false }
    if let labels, labels != requirement.labels?.joined() { return false }
    return type.map { $0 == requirement.type } ?? unnamedProtocols.contains(requirement.type)
  }
}
