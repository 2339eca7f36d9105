// swift-tools-version: 6.1
import PackageDescription

// In debug, small batches: the compiler would take 25 files at a time, and the last ones would leave the other processors idle. No product
// contains these targets, so packages that depend on this one are built in spite of the flag.
// In release, `.ci/run` optimizes the library, and not the tests of it.
let testSettings: [SwiftSetting] =
  Context.environment["RX_UNOPTIMIZED_TESTS"] == nil
  ? [.unsafeFlags(["-driver-batch-size-limit", "12"], .when(configuration: .debug))]
  : [.unsafeFlags(["-Onone"]), .define("DEBUG"), .define("OPTIMIZED_LIBRARY")]

let libraries: [Target.Dependency] = [
  "RxViewModel", "RxViewModelRecording", "RxViewModelInspector", "RxViewModelTesting",
]

// Real threads, long chains, small stacks. What runs only with RX_STRESS=1 isn't compiled without it.
let stressTests: [Target] =
  Context.environment["RX_STRESS"] == "1"
  ? [.testTarget(name: "StressTests", dependencies: libraries + ["TestSupport"], swiftSettings: testSettings)] : []

let package = Package(
  name: "RxViewModel",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9)],
  products: [
    .library(name: "RxViewModel", targets: ["RxViewModel"]),
    .library(name: "RxViewModelRecording", targets: ["RxViewModelRecording"]),
    .library(name: "RxViewModelTesting", targets: ["RxViewModelTesting"]),
    .library(name: "RxViewModelInspector", targets: ["RxViewModelInspector"]),
  ],
  targets: [
    .target(name: "RxViewModel"),
    .target(name: "RxViewModelRecording", dependencies: ["RxViewModel"]),
    .target(
      name: "RxViewModelTesting", dependencies: ["RxViewModel", "RxViewModelRecording", "RxViewModelInspector"]),
    // Its code has the page, so that an app needs no bundle to find it: .ci/resources.
    .target(
      name: "RxViewModelInspector", dependencies: ["RxViewModel", "RxViewModelRecording"], exclude: ["Resources"]),
    .executableTarget(name: "LoginExample", dependencies: ["RxViewModel"]),
    // What the test targets share.
    .target(
      name: "TestSupport", dependencies: ["RxViewModel"], path: "Tests/TestSupport", swiftSettings: testSettings),
    .testTarget(name: "RxViewModelTests", dependencies: libraries + ["TestSupport"], swiftSettings: testSettings),
    .testTarget(name: "InspectorTests", dependencies: libraries + ["TestSupport"], swiftSettings: testSettings),
    .testTarget(name: "SnippetTests", dependencies: libraries + ["TestSupport"], swiftSettings: testSettings),
    .testTarget(
      name: "LoginExampleTests", dependencies: ["LoginExample", "RxViewModel", "RxViewModelTesting", "TestSupport"],
      swiftSettings: testSettings),
  ] + stressTests,
  swiftLanguageModes: [.v6]
)
