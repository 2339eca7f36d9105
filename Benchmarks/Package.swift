// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that the library's manifest stays without dependencies.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "RxViewModel", path: ".."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
  ],
  targets: [
    .target(name: "CAllocations"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CAllocations",
        .product(name: "RxViewModel", package: "RxViewModel"),
        .product(name: "RxViewModelInspector", package: "RxViewModel"),
        .product(name: "RxViewModelRecording", package: "RxViewModel"),
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
