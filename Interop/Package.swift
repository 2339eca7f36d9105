// swift-tools-version: 6.2
import PackageDescription

// Testing has a cross-import overlay for UIKit, which needs the real UIKit.
let noOverlays: [SwiftSetting] = [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]

// Isolates everything to the main actor, with "Approachable Concurrency". In the language mode 5, the other features aren't on.
let isolation: [SwiftSetting] = [
  .defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]

// The settings of a new project of Xcode 26, whose language mode is 5.
let newProject: [SwiftSetting] =
  isolation + [
    .swiftLanguageMode(.v5), .enableUpcomingFeature("DisableOutwardActorInference"),
    .enableUpcomingFeature("GlobalActorIsolatedTypesUsability"), .enableUpcomingFeature("InferSendableFromCaptures"),
  ]

// Expands `#Preview` of the stub of SwiftUI.
let previews: [SwiftSetting] = [
  .unsafeFlags(["-load-plugin-executable", "\(Context.packageDirectory)/Stubs/preview#PreviewStub"])
]

// A test that imports `module` gets the isolated copy of it.
func imports(_ module: String) -> [SwiftSetting] { [.unsafeFlags(["-module-alias", "\(module)=Isolated\(module)"])] }

let articleDependencies: [Target.Dependency] = [
  "Combine", "RxViewModel", "RxViewModelInspector", "RxViewModelRecording", "RxViewModelTesting", "SwiftUI",
  "TestSupport", "UIKit",
]

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
    .target(name: "SwiftUI", dependencies: ["UIKit"], swiftSettings: previews),
    // The libraries.
    .target(name: "RxViewModel", dependencies: ["Combine", "SwiftUI", "UIKit"]),
    .target(name: "RxViewModelRecording", dependencies: ["RxViewModel"]),
    .target(
      name: "RxViewModelInspector", dependencies: ["RxViewModel", "RxViewModelRecording"], exclude: ["Resources"]),
    .target(
      name: "RxViewModelTesting", dependencies: ["RxViewModel", "RxViewModelRecording", "RxViewModelInspector"]),
    .target(name: "TestSupport", dependencies: ["RxViewModel"]),
    // The code of the README, and of the articles.
    .target(name: "App", dependencies: ["RxViewModel", "SwiftUI", "UIKit"], swiftSettings: previews),
    .testTarget(
      name: "AppTests", dependencies: ["App", "RxViewModel", "RxViewModelTesting", "SwiftUI", "UIKit"],
      swiftSettings: noOverlays),
    .testTarget(
      name: "ArticleTests", dependencies: articleDependencies,
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
    // The same code, unchanged, in modules that isolate everything to the main actor, as new projects do: the README, the articles, the
    // sample app and the view model of LoginExample. Their folders are links.
    .target(
      name: "IsolatedApp", dependencies: ["RxViewModel", "SwiftUI", "UIKit"], swiftSettings: newProject + previews),
    .testTarget(
      name: "IsolatedAppTests", dependencies: ["IsolatedApp", "RxViewModel", "RxViewModelTesting"],
      swiftSettings: newProject + imports("App") + noOverlays),
    .testTarget(
      name: "IsolatedArticleTests", dependencies: articleDependencies,
      exclude: ["Snippets/Checks"], swiftSettings: isolation + noOverlays),
    .target(name: "IsolatedLogin", dependencies: ["RxViewModel"], swiftSettings: isolation),
    .executableTarget(
      name: "IsolatedBooks", dependencies: ["RxViewModel", "RxViewModelRecording", "SwiftUI", "UIKit"],
      swiftSettings: isolation),
    .testTarget(
      name: "IsolatedBooksTests",
      dependencies: ["IsolatedBooks", "RxViewModel", "RxViewModelRecording", "RxViewModelTesting"],
      swiftSettings: isolation + imports("Books") + noOverlays),
    .testTarget(name: "CombineTests", dependencies: ["Combine", "RxViewModel"]),
    .testTarget(
      name: "UIKitTests", dependencies: ["RxViewModel", "RxViewModelTesting", "UIKit"], swiftSettings: noOverlays),
  ],
  swiftLanguageModes: [.v6]
)
