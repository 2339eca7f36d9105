// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "RxViewModel",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9)],
  products: [
    .library(name: "RxViewModel", targets: ["RxViewModel"]),
    .library(name: "RxViewModelTesting", targets: ["RxViewModelTesting"]),
    .executable(name: "LoginExample", targets: ["LoginExample"]),
  ],
  targets: [
    .target(name: "RxViewModel"),
    .target(name: "RxViewModelTesting", dependencies: ["RxViewModel"]),
    .executableTarget(name: "LoginExample", dependencies: ["RxViewModel"]),
    .testTarget(name: "RxViewModelTests", dependencies: ["RxViewModel", "RxViewModelTesting"]),
    .testTarget(name: "LoginExampleTests", dependencies: ["LoginExample", "RxViewModel", "RxViewModelTesting"]),
  ],
  swiftLanguageModes: [.v6]
)
