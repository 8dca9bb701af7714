import Foundation

/// A small program with one dependency, for clean builds.
struct HelloProgram {
  let name: String
  /// The source code of the dependency in a package manifest.
  let dependency: String
  /// The product of the dependency, and its package.
  let product: (name: String, package: String)
  let source: String

  enum Configuration: String, CaseIterable {
    case debug, release
  }

  /// Returns a program that stores one row with Moho.
  static func onMoho(_ package: URL) -> HelloProgram {
    HelloProgram(
      name: "Moho", dependency: ".package(path: \"\(package.path)\")",
      product: ("Moho", package.lastPathComponent),
      source: """
        import Moho

        struct Episode: MappedModel {
          var id: Int
          var title: String
          static let mapping = Mapping(
            "Episode", Episode.init, .key("id", \\.id, .unique), .key("title", \\.title))
        }

        let store = try ModelStore(inMemory: Episode.self)
        try store.write { try $0.save(Episode(id: 1, title: "Lava")) }
        print(try store.fetchCount(ModelRequest<Episode>()))
        """)
  }

  /// A program that stores one row with GRDB.
  static var onGRDB: HelloProgram {
    HelloProgram(
      name: "GRDB",
      dependency: ".package(url: \"https://github.com/groue/GRDB.swift\", from: \"7.10.0\")",
      product: ("GRDB", "GRDB.swift"),
      source: """
        import GRDB

        let queue = try DatabaseQueue()
        try queue.write { database in
          try database.execute(sql: "CREATE TABLE Episode (id INTEGER PRIMARY KEY, title TEXT)")
          try database.execute(sql: "INSERT INTO Episode VALUES (1, 'Lava')")
          print(try Int.fetchOne(database, sql: "SELECT count(*) FROM Episode") ?? 0)
        }
        """)
  }

  /// Writes the package of the program.
  func write(to folder: URL) throws {
    let sources = folder.appending(path: "Sources/hello")
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    let manifest = """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "hello", platforms: [.macOS(.v15)], dependencies: [\(dependency)],
        targets: [
          .executableTarget(
            name: "hello",
            dependencies: [.product(name: "\(product.name)", package: "\(product.package)")])
        ])
      """
    try Data(manifest.utf8).write(to: folder.appending(path: "Package.swift"))
    try Data(source.utf8).write(to: sources.appending(path: "main.swift"))
  }

  /// Resolves the dependencies, and then measures a clean build.
  ///
  /// - Returns: The build time, and the size in bytes of the program without
  ///   symbols.
  func build(_ configuration: Configuration, in folder: URL) throws -> (Duration, bytes: Int) {
    let build = folder.appending(path: ".build")
    try run("swift", "package", "resolve", in: folder)
    for part in ["debug", "release", "x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"] {
      try? FileManager.default.removeItem(at: build.appending(path: part))
    }
    let time = try ContinuousClock().measure {
      try run("swift", "build", "-c", configuration.rawValue, in: folder)
    }
    let program = build.appending(path: "\(configuration.rawValue)/hello")
    try run("strip", program.path, in: folder)
    let size = try FileManager.default.attributesOfItem(atPath: program.path)[.size]
    return (time, (size as? Int) ?? 0)
  }

  private func run(_ words: String..., in folder: URL) throws {
    guard try ChildProcess(words, in: folder).succeeds() else {
      throw BuildFailure(description: "`\(words.joined(separator: " "))` failed for \(name)")
    }
  }
}

struct BuildFailure: Error, CustomStringConvertible {
  let description: String
}
