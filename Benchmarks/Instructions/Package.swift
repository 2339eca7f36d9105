// swift-tools-version: 6.1
import PackageDescription

// The checkout to measure: RX_CHECKOUT, or this one.
let package = Package(
  name: "Instructions",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "RxViewModel", path: Context.environment["RX_CHECKOUT"] ?? "../..")],
  targets: [
    .target(name: "Row"),
    .executableTarget(
      name: "Rows",
      dependencies: [
        "Row",
        .product(name: "RxViewModel", package: "RxViewModel"),
        .product(name: "RxViewModelRecording", package: "RxViewModel"),
      ]),
    .executableTarget(
      name: "TwoThreads", dependencies: ["Row", .product(name: "RxViewModel", package: "RxViewModel")]),
    .executableTarget(name: "Counter", dependencies: [.product(name: "RxViewModel", package: "RxViewModel")]),
    .executableTarget(name: "Optimism", dependencies: [.product(name: "RxViewModel", package: "RxViewModel")]),
  ],
  swiftLanguageModes: [.v6]
)
