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
          TextField("Username", text: viewModel.binding(\.username, set: LoginViewModel.Action.setUsername))
          SecureField("Password", text: viewModel.binding(\.password, set: LoginViewModel.Action.setPassword))
          Button("Sign In") { viewModel.execute(.signIn) }
            .disabled(!viewModel.observed.canSignIn || viewModel.activity.isLoading)
          if viewModel.activity.isLoading { ProgressView("Signing in…") }
          if let name = viewModel.observed.signedInAs { Text("Signed in as \(name)") }
        }
        .alert(
          "Sign-In Failed", isPresented: Bindable(viewModel.activity).hasFailure, presenting: viewModel.activity.failure
        ) { failure in
          Button("Try Again") { failure.retry() }
          Button("Cancel", role: .cancel) {}
        } message: { failure in
          Text(failure.error.localizedDescription)
        }
      }
    }
  }
#endif
