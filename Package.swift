// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] =
  Context.environment["MOHO_WARNINGS_AS_ERRORS"] == nil
  ? [] : [.treatAllWarnings(as: .error)]

let application: [SwiftSetting] =
  strict + [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
  ]

// ThreadSanitizer does not see `Synchronization.Mutex` on Linux.
let locking: [SwiftSetting] =
  Context.environment["MOHO_THREAD_SANITIZER"] == nil ? [] : [.define("MOHO_PTHREAD_LOCK")]

let library: [SwiftSetting] =
  application + locking + [.enableUpcomingFeature("InternalImportsByDefault")]

let package = Package(
  name: "moho",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
  products: [
    .library(name: "Moho", targets: ["Moho"]),
    .library(name: "MohoMapping", targets: ["MohoMapping"]),
    .library(name: "MohoJSON", targets: ["MohoJSON"]),
    .library(name: "MohoRows", targets: ["MohoRows"]),
    .library(name: "MohoSQLite", targets: ["MohoSQLite"]),
    .library(name: "MohoPostgres", targets: ["MohoPostgres"]),
    .library(name: "MohoChanges", targets: ["MohoChanges"]),
    .library(name: "MohoResults", targets: ["MohoResults"]),
    .library(name: "MohoTesting", targets: ["MohoTesting"]),
  ],
  traits: [
    .default(enabledTraits: ["Jansson"]),
    .trait(
      name: "Jansson",
      description: "Words JSON errors by libjansson, which Linux and macOS must have installed."),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .target(name: "MohoMapping", swiftSettings: library),
    .systemLibrary(
      name: "CJansson",
      pkgConfig: "jansson",
      providers: [.apt(["libjansson-dev"]), .brew(["jansson"])]),
    .target(
      name: "MohoJSON",
      dependencies: [
        "MohoMapping",
        .target(
          name: "CJansson",
          condition: .when(platforms: [.linux, .macOS], traits: ["Jansson"])),
      ],
      swiftSettings: library),
    .target(
      name: "MohoRows",
      dependencies: ["MohoMapping", .product(name: "Logging", package: "swift-log")],
      swiftSettings: library),
    .target(
      name: "MohoSQLite",
      dependencies: [
        "MohoMapping", "MohoRows",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: library),
    .systemLibrary(
      name: "CPostgres",
      pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .target(
      name: "MohoPostgres",
      dependencies: ["MohoMapping", "MohoRows", "CPostgres"],
      swiftSettings: library),
    .target(name: "MohoChanges", swiftSettings: library),
    .target(
      name: "MohoResults",
      dependencies: ["MohoMapping", "MohoRows", "MohoChanges"],
      swiftSettings: library),
    .target(
      name: "MohoTesting",
      dependencies: ["MohoMapping", "MohoChanges"],
      swiftSettings: library),
    .target(
      name: "Moho",
      dependencies: [
        "MohoMapping", "MohoJSON", "MohoRows", "MohoSQLite", "MohoChanges", "MohoResults",
      ],
      swiftSettings: library),
    .target(name: "CFloors", dependencies: ["CJansson"]),
    .target(name: "CPostgresFloors", dependencies: ["CFloors", "CPostgres"]),
    .executableTarget(
      name: "moho-benchmarks",
      dependencies: [
        "MohoMapping", "MohoJSON", "MohoRows", "MohoSQLite", "MohoPostgres", "MohoChanges",
        "MohoResults", "MohoTesting", "PostgresTesting",
        "CFloors", "CPostgresFloors",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: application),
    .systemLibrary(
      name: "CCurl",
      path: "Examples/CCurl",
      pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .target(
      name: "EpisodeFeed",
      dependencies: ["CCurl", "Moho", "TerminalScreen", "TextTables"],
      path: "Examples/EpisodeFeed",
      resources: [.embedInCode("Resources")],
      swiftSettings: application),
    .target(
      name: "TaskList",
      dependencies: ["Moho"],
      path: "Examples/TaskList",
      swiftSettings: application),
    .executableTarget(
      name: "tasks",
      dependencies: [
        "CommandSupport", "Moho", "TaskList", "TextTables",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Examples/tasks",
      swiftSettings: application),
    .target(
      name: "FailedBanks",
      dependencies: ["Moho", "TextTables"],
      path: "Examples/FailedBanks",
      resources: [.embedInCode("Resources")],
      swiftSettings: application),
    .executableTarget(
      name: "failed-banks",
      dependencies: [
        "CommandSupport", "FailedBanks", "Moho",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Examples/failed-banks",
      swiftSettings: application),
    .target(
      name: "WellField",
      dependencies: ["Moho"],
      path: "Examples/WellField",
      swiftSettings: application),
    .executableTarget(
      name: "wells",
      dependencies: [
        "CommandSupport", "Moho", "TextTables", "WellField",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Examples/wells",
      swiftSettings: application),
    .target(name: "TextTables", path: "Examples/TextTables", swiftSettings: application),
    .target(
      name: "TerminalScreen",
      dependencies: ["TextTables"],
      path: "Examples/TerminalScreen",
      swiftSettings: application),
    .target(
      name: "CommandSupport",
      dependencies: [
        "Moho", "MohoPostgres", "TerminalScreen", "TextTables",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Examples/CommandSupport",
      swiftSettings: application),
    .executableTarget(
      name: "episode-feed",
      dependencies: [
        "CommandSupport", "EpisodeFeed", "Moho", "MohoPostgres", "TerminalScreen", "TextTables",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      path: "Examples/episode-feed",
      swiftSettings: application),
    .executableTarget(
      name: "first-screen",
      dependencies: ["Moho"],
      path: "Examples/first-screen",
      swiftSettings: application),
    .executableTarget(
      name: "issues",
      dependencies: [
        "CommandSupport", "Moho", "TextTables",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Examples/Issues",
      swiftSettings: application),
    .target(
      name: "DocumentationTesting",
      path: "Tests/DocumentationTesting",
      swiftSettings: application),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "CommandTesting", "DocumentationTesting", "Moho", "MohoPostgres", "MohoTesting",
        "PostgresTesting", "first-screen",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: application),
    .testTarget(
      name: "EpisodeFeedTests",
      dependencies: [
        "CommandTesting", "EpisodeFeed", "Moho", "PostgresTesting", "TerminalScreen",
        "episode-feed",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: application),
    .target(name: "CPseudoTerminal", path: "Tests/CPseudoTerminal"),
    .target(
      name: "CommandTesting",
      dependencies: ["CPseudoTerminal"],
      path: "Tests/CommandTesting",
      swiftSettings: application),
    .testTarget(
      name: "TaskListTests",
      dependencies: ["CommandTesting", "Moho", "TaskList", "tasks"],
      swiftSettings: application),
    .testTarget(
      name: "FailedBanksTests",
      dependencies: ["CommandTesting", "FailedBanks", "Moho", "failed-banks"],
      swiftSettings: application),
    .testTarget(
      name: "IssuesTests", dependencies: ["CommandTesting", "Moho", "issues"],
      swiftSettings: application),
    .testTarget(
      name: "WellFieldTests",
      dependencies: ["CommandTesting", "WellField", "wells"],
      swiftSettings: application),
    .testTarget(
      name: "CommandSupportTests",
      dependencies: [
        "CommandSupport", "CommandTesting", "EpisodeFeed", "Moho", "MohoPostgres", "MohoTesting",
        "WellField", "episode-feed", "failed-banks", "issues", "tasks", "wells",
      ],
      swiftSettings: application),
    .testTarget(
      name: "TextTablesTests", dependencies: ["TextTables"], swiftSettings: application),
    .testTarget(
      name: "TerminalScreenTests", dependencies: ["TerminalScreen"], swiftSettings: application),
    .target(name: "Campaigns", path: "Tests/Campaigns", swiftSettings: application),
    .target(
      name: "Fixtures",
      dependencies: ["MohoMapping"],
      path: "Tests/Fixtures",
      swiftSettings: application),
    .testTarget(
      name: "MohoMappingTests",
      dependencies: ["Campaigns", "CommandTesting", "Fixtures", "MohoMapping", "MohoTesting"],
      swiftSettings: application),
    .testTarget(
      name: "MohoJSONTests",
      dependencies: ["Campaigns", "CommandTesting", "MohoMapping", "MohoJSON", "MohoTesting"],
      swiftSettings: application),
    .testTarget(
      name: "MohoStoreTests",
      dependencies: [
        "Campaigns", "CommandTesting", "Fixtures", "MohoMapping", "MohoJSON", "MohoRows",
        "MohoPostgres", "MohoSQLite", "MohoTesting", "PostgresTesting", "StoreCrasher",
        "StoreTesting",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: application),
    .target(
      name: "PostgresTesting",
      dependencies: ["CPostgres"],
      path: "Tests/PostgresTesting",
      swiftSettings: application),
    .testTarget(
      name: "StoreTesting",
      dependencies: [
        "CPostgres", "MohoMapping", "MohoPostgres", "MohoRows", "MohoSQLite", "PostgresTesting",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Tests/StoreTesting",
      swiftSettings: application),
    .testTarget(
      name: "MohoPostgresTests",
      dependencies: [
        "Campaigns", "CommandTesting", "CPostgres", "Fixtures", "MohoMapping", "MohoRows",
        "MohoChanges", "MohoPostgres", "MohoResults", "MohoTesting", "PostgresTesting",
        "StoreCrasher", "StoreTesting",
      ],
      swiftSettings: application),
    .executableTarget(
      name: "StoreCrasher",
      dependencies: ["MohoMapping", "MohoPostgres", "MohoRows", "MohoSQLite"],
      path: "Tests/StoreCrasher",
      swiftSettings: application),
    .executableTarget(
      name: "RaceCampaign",
      dependencies: [
        "MohoMapping", "MohoJSON", "MohoRows", "MohoSQLite", "MohoChanges", "MohoResults",
      ],
      path: "Tests/RaceCampaign",
      swiftSettings: application),
    .executableTarget(
      name: "ExternalWriter",
      dependencies: [.product(name: "GRDB", package: "GRDB.swift")],
      path: "Tests/ExternalWriter",
      swiftSettings: application),
    .testTarget(
      name: "MohoResultsTests",
      dependencies: [
        "Campaigns", "CommandTesting", "MohoMapping", "MohoRows", "MohoPostgres", "MohoSQLite",
        "MohoChanges", "MohoResults", "MohoTesting", "PostgresTesting", "ExternalWriter",
        "StoreTesting",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: application),
    .testTarget(
      name: "MohoResultsOracleTests",
      dependencies: [
        "Campaigns", "MohoMapping", "MohoRows", "MohoSQLite", "MohoChanges", "MohoResults",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: application),
    .testTarget(
      name: "MohoChangesTests",
      dependencies: ["Campaigns", "DocumentationTesting", "MohoChanges", "MohoTesting"],
      swiftSettings: application),
  ]
)
