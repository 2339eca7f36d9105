// swift-tools-version: 6.0
import PackageDescription

// The library's own sources (a link) once more, with OpenCombine under the name of Combine: so that what stands behind
// `canImport(Combine)` is compiled and tested where there is no Combine. Run with `swift test --package-path Interop`.
let package = Package(
  name: "Interop",
  platforms: [.macOS(.v13)],
  dependencies: [.package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0")],
  targets: [
    // SwiftPM's `moduleAliases` give a module another name, but not to `import` statements.
    .target(name: "Combine", dependencies: [.product(name: "OpenCombine", package: "OpenCombine")]),
    .target(name: "RxViewModel", dependencies: ["Combine"], exclude: ["RxViewModel.docc"]),
    .testTarget(name: "CombineTests", dependencies: ["Combine", "RxViewModel"]),
  ],
  swiftLanguageModes: [.v6]
)
