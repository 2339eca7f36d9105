import RxViewModel
import SwiftUI

struct LoginView: View {
  let viewModel: LoginViewModel

  var body: some View {
    Form {
      TextField("Username", text: viewModel.binding(\.username, set: LoginAction.setUsername))
      SecureField("Password", text: viewModel.binding(\.password, set: LoginAction.setPassword))
      Button("Sign in") { viewModel.execute(.login) }.disabled(!viewModel.observed.isLoginEnabled)
      if viewModel.activity.isLoading { ProgressView() }
      if viewModel.observed.token != nil { Text("Signed in as \(viewModel.observed.signedInUsername)") }
    }
    .alert("Sign-in failed", isPresented: Bindable(viewModel.activity).hasFailure) {
      Button("Try again") { viewModel.activity.failure?.retry() }
      Button("Cancel", role: .cancel) {}
    } message: {
      Text(viewModel.activity.failure.map { "\($0.error)" } ?? "")
    }
  }
}
