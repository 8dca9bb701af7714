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

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let grdbSQLite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")

/// A library that is compiled only with the package trait of its name.
func optional(_ name: String, _ package: String, trait: String) -> Target.Dependency {
  .product(name: name, package: package, condition: .when(traits: [trait]))
}

/// What stores use on servers.
let services = [
  optional("ServiceLifecycle", "swift-service-lifecycle", trait: "ServiceLifecycle"),
  optional("Metrics", "swift-metrics", trait: "Metrics"),
  optional("Tracing", "swift-distributed-tracing", trait: "Tracing"),
]
let servicesTesting = [
  optional("ServiceLifecycleTestKit", "swift-service-lifecycle", trait: "ServiceLifecycle"),
  optional("MetricsTestKit", "swift-metrics", trait: "Metrics"),
  optional("InMemoryTracing", "swift-distributed-tracing", trait: "Tracing"),
]

/// A module of the library.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: library)
}

let modules: [Target] = [
  module("MohoMapping"),
  .systemLibrary(
    name: "CJansson", pkgConfig: "jansson",
    providers: [.apt(["libjansson-dev"]), .brew(["jansson"])]),
  module(
    "MohoJSON",
    [
      "MohoMapping",
      .target(
        name: "CJansson", condition: .when(platforms: [.linux, .macOS], traits: ["Jansson"])),
    ]),
  module("MohoRows", ["MohoMapping", logging] + services),
  module("MohoSQLite", ["MohoMapping", "MohoRows", grdb, grdbSQLite]),
  .systemLibrary(
    name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
  module("MohoPostgres", ["MohoMapping", "MohoRows", "CPostgres"]),
  module("MohoChanges"),
  module("MohoResults", ["MohoMapping", "MohoRows", "MohoChanges"]),
  module("MohoTesting", ["MohoMapping", "MohoChanges"]),
  module(
    "Moho",
    ["MohoMapping", "MohoJSON", "MohoRows", "MohoSQLite", "MohoChanges", "MohoResults"]),
]

/// A module of the examples.
func example(
  _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Examples/\(name)", resources: resources,
    swiftSettings: application)
}

/// A program of the examples.
func program(
  _ name: String, _ dependencies: [Target.Dependency], folder: String? = nil
) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Examples/\(folder ?? name)",
    swiftSettings: application)
}

let examples: [Target] = [
  .systemLibrary(
    name: "CCurl", path: "Examples/CCurl", pkgConfig: "libcurl",
    providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
  example(
    "EpisodeFeed", ["CCurl", "Moho", "TerminalScreen", "TextTables"],
    resources: [.embedInCode("Resources")]),
  example("TaskList", ["Moho"]),
  example("FailedBanks", ["Moho", "TextTables"], resources: [.embedInCode("Resources")]),
  example("WellField", ["Moho"]),
  example("TextTables"),
  example("TerminalScreen", ["TextTables"]),
  example(
    "CommandSupport", ["Moho", "MohoPostgres", "TerminalScreen", "TextTables", argumentParser]),
  program(
    "episode-feed",
    [
      "CommandSupport", "EpisodeFeed", "Moho", "MohoPostgres", "TerminalScreen", "TextTables",
      argumentParser, .product(name: "FlyingSocks", package: "FlyingFox"),
    ]),
  program("tasks", ["CommandSupport", "Moho", "TaskList", "TextTables", argumentParser]),
  program("failed-banks", ["CommandSupport", "FailedBanks", "Moho", argumentParser, logging]),
  program("wells", ["CommandSupport", "Moho", "TextTables", "WellField", argumentParser]),
  program("issues", ["CommandSupport", "Moho", "TextTables", argumentParser], folder: "Issues"),
  program("first-screen", ["Moho"]),
]

/// A module that tests use.
func support(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: application)
}

/// A program that tests run.
func testedProgram(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: application)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: application)
}

let testTargets: [Target] = [
  .target(name: "CPseudoTerminal", path: "Tests/CPseudoTerminal"),
  .target(name: "CFaultyFiles", path: "Tests/CFaultyFiles"),
  support("CommandTesting", ["CPseudoTerminal"]),
  support("DocumentationTesting"),
  support("Campaigns"),
  support("Fixtures", ["MohoMapping"]),
  support("PostgresTesting", ["CPostgres"]),
  testedProgram("StoreCrasher", ["MohoMapping", "MohoPostgres", "MohoRows", "MohoSQLite"]),
  testedProgram(
    "RaceCampaign",
    ["MohoMapping", "MohoJSON", "MohoRows", "MohoSQLite", "MohoChanges", "MohoResults"]),
  testedProgram("FaultCampaign", ["CFaultyFiles", "Moho", "MohoTesting", grdb]),
  testedProgram("ExternalWriter", [grdb]),
  tests(
    "StoreTesting",
    [
      "CPostgres", "MohoMapping", "MohoPostgres", "MohoRows", "MohoSQLite", "PostgresTesting", grdb,
    ]),
  tests(
    "MohoMappingTests", ["Campaigns", "CommandTesting", "Fixtures", "MohoMapping", "MohoTesting"]),
  tests(
    "MohoJSONTests", ["Campaigns", "CommandTesting", "MohoMapping", "MohoJSON", "MohoTesting"]),
  tests(
    "MohoStoreTests",
    [
      "Campaigns", "CommandTesting", "FaultCampaign", "Fixtures", "MohoMapping", "MohoJSON",
      "MohoRows", "MohoPostgres", "MohoSQLite", "MohoTesting", "PostgresTesting", "StoreCrasher",
      "StoreTesting", grdb, grdbSQLite, logging,
    ] + services + servicesTesting),
  tests(
    "MohoPostgresTests",
    [
      "Campaigns", "CommandTesting", "CPostgres", "Fixtures", "MohoMapping", "MohoRows",
      "MohoChanges", "MohoPostgres", "MohoResults", "MohoTesting", "PostgresTesting",
      "StoreCrasher", "StoreTesting",
    ]),
  tests("MohoChangesTests", ["Campaigns", "DocumentationTesting", "MohoChanges", "MohoTesting"]),
  tests(
    "MohoResultsTests",
    [
      "Campaigns", "CommandTesting", "MohoMapping", "MohoRows", "MohoPostgres", "MohoSQLite",
      "MohoChanges", "MohoResults", "MohoTesting", "PostgresTesting", "ExternalWriter",
      "StoreTesting", grdb,
    ]),
  tests(
    "MohoResultsOracleTests",
    [
      "Campaigns", "MohoMapping", "MohoRows", "MohoSQLite", "MohoChanges", "MohoResults", grdb,
      grdbSQLite,
    ]),
  tests(
    "DocumentationTests",
    [
      "CommandTesting", "DocumentationTesting", "Moho", "MohoPostgres", "MohoTesting",
      "PostgresTesting", "first-screen", grdb, logging,
      optional("UnixSignals", "swift-service-lifecycle", trait: "ServiceLifecycle"),
    ] + services),
  tests(
    "EpisodeFeedTests",
    [
      "Campaigns", "CommandTesting", "EpisodeFeed", "Moho", "PostgresTesting", "TerminalScreen",
      "episode-feed", grdb,
    ]),
  tests("TaskListTests", ["CommandTesting", "Moho", "TaskList", "tasks"]),
  tests("FailedBanksTests", ["CommandTesting", "FailedBanks", "Moho", "failed-banks"]),
  tests("IssuesTests", ["CommandTesting", "Moho", "issues"]),
  tests("WellFieldTests", ["CommandTesting", "WellField", "wells"]),
  tests(
    "CommandSupportTests",
    [
      "CommandSupport", "CommandTesting", "EpisodeFeed", "Moho", "MohoPostgres", "MohoTesting",
      "WellField", "episode-feed", "failed-banks", "issues", "tasks", "wells",
    ]),
  tests("TextTablesTests", ["TextTables"]),
  tests("TerminalScreenTests", ["TerminalScreen"]),
]

let package = Package(
  name: "moho",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
  products: [
    "Moho", "MohoMapping", "MohoJSON", "MohoRows", "MohoSQLite", "MohoPostgres", "MohoChanges",
    "MohoResults", "MohoTesting",
  ].map { .library(name: $0, targets: [$0]) } + [
    // For the benchmarks, which are a package of their own.
    .library(name: "_PostgresTesting", targets: ["PostgresTesting"])
  ],
  traits: [
    .default(enabledTraits: ["Jansson"]),
    .trait(
      name: "Jansson",
      description: "Words JSON errors by libjansson, which Linux and macOS must have installed."),
    .trait(
      name: "ServiceLifecycle",
      description: "Makes stores services of swift-service-lifecycle, which shut down gracefully."),
    .trait(
      name: "Metrics",
      description: "Reports transactions and followed commits of stores to swift-metrics."),
    .trait(
      name: "Tracing",
      description: "Reports transactions and followed commits to swift-distributed-tracing."),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    // Compiled with package traits only.
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
  ],
  targets: modules + examples + testTargets)
