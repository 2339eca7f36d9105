// swift-tools-version: 6.1
import PackageDescription

// The checkout to count: RX_CHECKOUT, or this one.
let package = Package(
  name: "Instructions",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "RxViewModel", path: Context.environment["RX_CHECKOUT"] ?? "../..")],
  targets: [
    .executableTarget(
      name: "Rows",
      dependencies: [
        .product(name: "RxViewModel", package: "RxViewModel"),
        .product(name: "RxViewModelRecording", package: "RxViewModel"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
