// The view of the article that gets you started, word for word. `SnippetTests` compares the two.
import RxViewModel

#if canImport(SwiftUI)
  import SwiftUI

  extension GettingStarted {
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    struct LoginView: View {
      let viewModel: LoginViewModel

      var body: some View {
        Form {
          TextField("Username", text: viewModel.binding(\.username, set: LoginAction.setUsername))
          SecureField("Password", text: viewModel.binding(\.password, set: LoginAction.setPassword))
          Button("Sign in") { viewModel.execute(.signIn) }.disabled(!viewModel.observed.canSignIn)
          if viewModel.activity.isLoading { ProgressView() }
          if let name = viewModel.observed.signedInAs { Text("Signed in as \(name)") }
        }
        .alert("That didn't work", isPresented: Bindable(viewModel.activity).hasFailure) {
          Button("Try again") { viewModel.activity.failure?.retry() }
          Button("Cancel", role: .cancel) {}
        } message: {
          Text(viewModel.activity.failure.map { "\($0.error)" } ?? "")
        }
      }
    }
  }
#endif
