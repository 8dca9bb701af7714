// swift-tools-version: 6.2

import PackageDescription

/// `.ci/run` sets the variable.
let strict: [SwiftSetting] =
  Context.environment["MOHO_WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)]

let package = Package(
  name: "moho-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "moho", path: "../.."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
  ],
  targets: [
    // The C programs use the libraries that Moho uses.
    .target(name: "CFloors", dependencies: [.product(name: "MohoJSON", package: "moho")]),
    .target(
      name: "CPostgresFloors",
      dependencies: ["CFloors", .product(name: "MohoPostgres", package: "moho")]),
    // SwiftPM refuses the flags that simdjson has in pkg-config.
    .target(
      name: "SimdjsonFloors", dependencies: ["CFloors"],
      linkerSettings: [.linkedLibrary("simdjson")]),
    .executableTarget(
      name: "moho-benchmarks",
      dependencies: [
        "CFloors", "CPostgresFloors", "SimdjsonFloors",
        .product(name: "MohoMapping", package: "moho"),
        .product(name: "MohoJSON", package: "moho"),
        .product(name: "MohoRows", package: "moho"),
        .product(name: "MohoSQLite", package: "moho"),
        .product(name: "MohoPostgres", package: "moho"),
        .product(name: "MohoChanges", package: "moho"),
        .product(name: "MohoResults", package: "moho"),
        .product(name: "MohoTesting", package: "moho"),
        .product(name: "_PostgresTesting", package: "moho"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
      ]),
  ],
  cxxLanguageStandard: .cxx17
)
