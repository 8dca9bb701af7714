// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] =
  Context.environment["MOHO_WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)]

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

let jansson = Target.Dependency.target(
  name: "CJansson", condition: .when(platforms: [.linux, .macOS], traits: ["Jansson"]))
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let grdbSQLite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")

/// Products of libraries for servers, each compiled only with the package trait of its library.
func optional(
  _ lifecycle: [String], _ metrics: [String] = [], _ tracing: [String] = []
) -> [Target.Dependency] {
  [
    (lifecycle, "swift-service-lifecycle", "ServiceLifecycle"),
    (metrics, "swift-metrics", "Metrics"), (tracing, "swift-distributed-tracing", "Tracing"),
  ].flatMap { names, package, trait in
    names.map { .product(name: $0, package: package, condition: .when(traits: [trait])) }
  }
}

let services = optional(["ServiceLifecycle"], ["Metrics"], ["Tracing"])

/// The modules of stores on SQLite, and of their results.
let stores: [Target.Dependency] = [
  "MohoMapping", "MohoRows", "MohoSQLite", "MohoChanges", "MohoResults",
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
  module("MohoJSON", ["MohoMapping", jansson]),
  module("MohoRows", ["MohoMapping", logging] + services),
  module("MohoSQLite", ["MohoMapping", "MohoRows", grdb, grdbSQLite]),
  .systemLibrary(
    name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
  module("MohoPostgres", ["MohoMapping", "MohoRows", "CPostgres"]),
  module("MohoChanges"),
  module("MohoResults", ["MohoMapping", "MohoRows", "MohoChanges"]),
  module("MohoTesting", ["MohoMapping", "MohoChanges"]),
  module("Moho", stores + ["MohoJSON"]),
]

/// A module of the examples or of the tests.
func shared(
  _ name: String, _ dependencies: [Target.Dependency] = [], in folder: String = "Examples",
  resources: [Resource]? = nil
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "\(folder)/\(name)", resources: resources,
    swiftSettings: application)
}

/// A program of the examples, or one that tests run.
func program(_ name: String, _ dependencies: [Target.Dependency], path: String? = nil) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: path ?? "Examples/\(name)",
    swiftSettings: application)
}

let examples: [Target] = [
  .systemLibrary(
    name: "CCurl", path: "Examples/CCurl", pkgConfig: "libcurl",
    providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
  shared(
    "EpisodeFeed", ["CCurl", "Moho", "TerminalScreen", "TextTables"],
    resources: [.embedInCode("Resources")]),
  shared("TaskList", ["Moho"]),
  shared("FailedBanks", ["Moho", "TextTables"], resources: [.embedInCode("Resources")]),
  shared("WellField", ["Moho"]),
  shared("TextTables"),
  shared("TerminalScreen", ["TextTables"]),
  shared(
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
  program(
    "issues", ["CommandSupport", "Moho", "TextTables", argumentParser], path: "Examples/Issues"),
  program("first-screen", ["Moho"]),
]

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: application)
}

/// What tests of stores on both engines use.
let storeTesting: [Target.Dependency] = [
  "Campaigns", "CommandTesting", "MohoMapping", "MohoPostgres", "MohoRows", "MohoTesting",
  "PostgresTesting", "StoreTesting",
]

let testTargets: [Target] = [
  .target(name: "CPseudoTerminal", path: "Tests/CPseudoTerminal"),
  .target(name: "CFaultyFiles", path: "Tests/CFaultyFiles"),
  shared("CommandTesting", ["CPseudoTerminal"], in: "Tests"),
  shared("DocumentationTesting", in: "Tests"),
  shared("Campaigns", in: "Tests"),
  shared("Fixtures", ["MohoMapping"], in: "Tests"),
  shared("PostgresTesting", ["CPostgres"], in: "Tests"),
  program(
    "StoreCrasher", ["MohoMapping", "MohoPostgres", "MohoRows", "MohoSQLite"],
    path: "Tests/StoreCrasher"),
  program("RaceCampaign", stores + ["MohoJSON"], path: "Tests/RaceCampaign"),
  program(
    "FaultCampaign",
    ["CFaultyFiles", "Moho", "MohoPostgres", "MohoTesting", "PostgresTesting", grdb],
    path: "Tests/FaultCampaign"),
  program("ExternalWriter", [grdb], path: "Tests/ExternalWriter"),
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
    storeTesting + services
      + optional(["ServiceLifecycleTestKit"], ["MetricsTestKit"], ["InMemoryTracing"]) + [
        "FaultCampaign", "Fixtures", "MohoJSON", "MohoSQLite", "StoreCrasher", grdb, grdbSQLite,
        logging,
      ]),
  tests(
    "MohoPostgresTests",
    storeTesting + [
      "CPostgres", "FaultCampaign", "Fixtures", "MohoChanges", "MohoResults", "StoreCrasher",
    ]),
  tests("MohoChangesTests", ["Campaigns", "DocumentationTesting", "MohoChanges", "MohoTesting"]),
  tests(
    "MohoResultsTests",
    storeTesting + ["ExternalWriter", "MohoChanges", "MohoResults", "MohoSQLite", grdb]),
  tests("MohoResultsOracleTests", stores + ["Campaigns", grdb, grdbSQLite]),
  tests(
    "DocumentationTests",
    [
      "CommandTesting", "DocumentationTesting", "Moho", "MohoPostgres", "MohoTesting",
      "PostgresTesting", "first-screen", grdb, logging,
    ] + services + optional(["UnixSignals"])),
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
    .trait(name: "Jansson", description: "JSON errors by libjansson, which must be installed."),
    .trait(name: "ServiceLifecycle", description: "Stores are services that shut down gracefully."),
    .trait(name: "Metrics", description: "Stores report their work to swift-metrics."),
    .trait(name: "Tracing", description: "Stores report their work to swift-distributed-tracing."),
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
