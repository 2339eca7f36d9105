// swift-tools-version: 6.2
import PackageDescription

// Testing has a cross-import overlay for UIKit, which needs the real UIKit.
let noOverlays: [SwiftSetting] = [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]

// Compiles the code behind `canImport` on systems without Combine, UIKit and SwiftUI: OpenCombine takes the name Combine, and stubs take
// the names UIKit and SwiftUI. The targets with the plugin take their code from the repository around this package. Run it with
// `swift test --package-path Interop`, on Linux: Apple's systems have the real modules.
let package = Package(
  name: "Interop",
  platforms: [.macOS(.v13)],
  dependencies: [.package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0")],
  targets: [
    .executableTarget(name: "CopyFiles"),
    .plugin(name: "RepositoryCode", capability: .buildTool(), dependencies: ["CopyFiles"]),
    // SwiftPM's `moduleAliases` rename a module, but not in `import` statements.
    .target(name: "Combine", dependencies: [.product(name: "OpenCombine", package: "OpenCombine")]),
    .target(name: "UIKit"),
    .target(name: "SwiftUI", dependencies: ["UIKit"]),
    // The libraries.
    .target(name: "RxViewModel", dependencies: ["Combine", "SwiftUI", "UIKit"], plugins: ["RepositoryCode"]),
    .target(name: "RxViewModelRecording", dependencies: ["RxViewModel"], plugins: ["RepositoryCode"]),
    .target(
      name: "RxViewModelTesting", dependencies: ["RxViewModel", "RxViewModelRecording"], plugins: ["RepositoryCode"]),
    // The code of the README, and of the articles.
    .target(name: "App", dependencies: ["RxViewModel", "SwiftUI", "UIKit"], plugins: ["RepositoryCode"]),
    .testTarget(
      name: "AppTests", dependencies: ["App", "RxViewModel", "RxViewModelTesting", "SwiftUI", "UIKit"],
      swiftSettings: noOverlays,
      plugins: ["RepositoryCode"]),
    .testTarget(
      name: "ArticleTests",
      dependencies: ["RxViewModel", "RxViewModelRecording", "RxViewModelTesting", "SwiftUI", "UIKit"],
      swiftSettings: noOverlays, plugins: ["RepositoryCode"]),
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
