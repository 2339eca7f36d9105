// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the library's manifest stays without dependencies. It pins the versions with which the tests have run.
let package = Package(
  name: "Examples",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [.executable(name: "Directory", targets: ["Directory"])],
  dependencies: [
    .package(name: "RxViewModel", path: ".."),
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
  ],
  targets: [
    .target(
      name: "DirectoryScreens",
      dependencies: [
        .product(name: "RxViewModel", package: "RxViewModel"),
        .product(name: "RxViewModelRecording", package: "RxViewModel"),
      ]),
    .executableTarget(
      name: "Directory",
      dependencies: [
        "DirectoryScreens",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "RxViewModel", package: "RxViewModel"),
        .product(name: "RxViewModelInspector", package: "RxViewModel"),
        .product(name: "RxViewModelRecording", package: "RxViewModel"),
        .product(name: "RxViewModelTesting", package: "RxViewModel"),
      ],
      resources: [.embedInCode("Resources/page.html")]),
    .target(name: "Races", dependencies: [.product(name: "RxViewModel", package: "RxViewModel")]),
    .testTarget(
      name: "DirectoryScreensTests",
      dependencies: [
        "DirectoryScreens",
        .product(name: "RxViewModel", package: "RxViewModel"),
        .product(name: "RxViewModelRecording", package: "RxViewModel"),
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
        .product(name: "RxViewModelRecording", package: "RxViewModel"),
        .product(name: "RxViewModelTesting", package: "RxViewModel"),
      ],
      exclude: ["Sessions"],
      resources: [.embedInCode("Session.recording")]),
    .testTarget(
      name: "RacesTests",
      dependencies: [
        "Races",
        .product(name: "RxViewModel", package: "RxViewModel"),
        .product(name: "RxViewModelTesting", package: "RxViewModel"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// The app needs SwiftUI. On Linux the package Interop compiles and tests the same files, against stubs.
#if canImport(Darwin)
  package.products.append(.executable(name: "Books", targets: ["Books"]))
  let libraries: [Target.Dependency] = [
    .product(name: "RxViewModel", package: "RxViewModel"),
    .product(name: "RxViewModelRecording", package: "RxViewModel"),
  ]
  package.targets += [
    .executableTarget(name: "Books", dependencies: libraries),
    .testTarget(
      name: "BooksTests",
      dependencies: ["Books", .product(name: "RxViewModelTesting", package: "RxViewModel")] + libraries),
  ]
#endif

for target in package.targets { target.swiftSettings = [.treatAllWarnings(as: .error)] }
