// swift-tools-version: 6.0
import PackageDescription

// The library's own sources (a link) once more, with OpenCombine under the name of Combine, and a recording stub under the
// name of UIKit: so that what stands behind `canImport` is compiled and tested where there is neither. Run with
// `swift test --package-path Interop`.
let package = Package(
  name: "Interop",
  platforms: [.macOS(.v13)],
  dependencies: [.package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0")],
  targets: [
    // SwiftPM's `moduleAliases` give a module another name, but not to `import` statements.
    .target(name: "Combine", dependencies: [.product(name: "OpenCombine", package: "OpenCombine")]),
    .target(name: "UIKit"),
    .target(name: "RxViewModel", dependencies: ["Combine", "UIKit"], exclude: ["RxViewModel.docc"]),
    .testTarget(name: "CombineTests", dependencies: ["Combine", "RxViewModel"]),
    .testTarget(
      name: "UIKitTests", dependencies: ["RxViewModel", "UIKit"],
      // Testing has an overlay for the real UIKit.
      swiftSettings: [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]),
  ],
  swiftLanguageModes: [.v6]
)
