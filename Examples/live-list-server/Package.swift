// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that neither users nor the tests of Moho build Hummingbird.
let package = Package(
  name: "live-list-server",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "moho", path: "../..", traits: ["ServiceLifecycle"]),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .executableTarget(
      name: "live-list-server",
      dependencies: [
        .product(name: "Moho", package: "moho"),
        .product(name: "MohoPostgres", package: "moho"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      path: "Server",
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
      ])
  ]
)
