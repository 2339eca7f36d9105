// swift-tools-version: 6.2
import PackageDescription

// Testing has a cross-import overlay for UIKit, which needs the real UIKit.
let noOverlays: [SwiftSetting] = [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]

// Compiles the code behind `canImport` on systems without Combine, UIKit and SwiftUI: OpenCombine takes the name Combine, and stubs take
// the names UIKit and SwiftUI. The libraries, the snippets of the articles and what these use are symbolic links. Run it with
// `swift test --package-path Interop`, on Linux: Apple's systems have the real modules.
let package = Package(
  name: "Interop",
  platforms: [.macOS(.v13)],
  dependencies: [.package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0")],
  targets: [
    // SwiftPM's `moduleAliases` rename a module, but not in `import` statements.
    .target(name: "Combine", dependencies: [.product(name: "OpenCombine", package: "OpenCombine")]),
    .target(name: "UIKit"),
    .target(name: "SwiftUI", dependencies: ["UIKit"]),
    // The libraries.
    .target(name: "RxViewModel", dependencies: ["Combine", "SwiftUI", "UIKit"]),
    .target(name: "RxViewModelRecording", dependencies: ["RxViewModel"]),
    .target(
      name: "RxViewModelTesting", dependencies: ["RxViewModel", "RxViewModelRecording"]),
    .target(name: "TestSupport", dependencies: ["RxViewModel"]),
    // The code of the README, and of the articles.
    .target(name: "App", dependencies: ["RxViewModel", "SwiftUI", "UIKit"]),
    .testTarget(
      name: "AppTests", dependencies: ["App", "RxViewModel", "RxViewModelTesting", "SwiftUI", "UIKit"],
      swiftSettings: noOverlays),
    .testTarget(
      name: "ArticleTests",
      dependencies: [
        "Combine", "RxViewModel", "RxViewModelRecording", "RxViewModelTesting", "SwiftUI", "TestSupport", "UIKit",
      ],
      exclude: ["Snippets/Checks"], swiftSettings: noOverlays),
    // The sample app, which the package Examples builds on Apple's systems. Its folders here are links.
    .executableTarget(
      name: "Books", dependencies: ["RxViewModel", "RxViewModelRecording", "SwiftUI", "UIKit"]),
    .testTarget(
      name: "BooksTests", dependencies: ["Books", "RxViewModel", "RxViewModelRecording", "RxViewModelTesting"],
      swiftSettings: noOverlays),
    .testTarget(
      name: "BooksViewTests", dependencies: ["Books", "RxViewModel", "RxViewModelTesting", "SwiftUI", "UIKit"],
      swiftSettings: noOverlays),
    // An app module that isolates everything to the main actor, as new projects do.
    .target(
      name: "IsolatedApp", dependencies: ["RxViewModel"],
      swiftSettings: [.defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    .testTarget(
      name: "IsolatedAppTests", dependencies: ["IsolatedApp", "RxViewModelTesting"], swiftSettings: noOverlays),
    .testTarget(name: "CombineTests", dependencies: ["Combine", "RxViewModel"]),
    .testTarget(
      name: "UIKitTests", dependencies: ["RxViewModel", "RxViewModelTesting", "UIKit"], swiftSettings: noOverlays),
  ],
  swiftLanguageModes: [.v6]
)
