// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the library's manifest stays without dependencies.
let package = Package(
  name: "Examples",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "Directory", targets: ["Directory"])],
  dependencies: [
    .package(name: "RxViewModel", path: ".."),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.0.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.3.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.0.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.81.0"),
  ],
  targets: [
    .target(name: "DirectoryScreens", dependencies: [.product(name: "RxViewModel", package: "RxViewModel")]),
    .executableTarget(
      name: "Directory",
      dependencies: [
        "DirectoryScreens",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "RxViewModel", package: "RxViewModel"),
      ],
      resources: [.embedInCode("Resources/page.html")]),
    .testTarget(
      name: "DirectoryScreensTests",
      dependencies: [
        "DirectoryScreens",
        .product(name: "RxViewModel", package: "RxViewModel"),
        .product(name: "RxViewModelTesting", package: "RxViewModel"),
      ]),
    .testTarget(
      name: "DirectoryTests",
      dependencies: [
        "Directory",
        "DirectoryScreens",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "RxViewModel", package: "RxViewModel"),
        .product(name: "RxViewModelTesting", package: "RxViewModel"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets { target.swiftSettings = [.treatAllWarnings(as: .error)] }
