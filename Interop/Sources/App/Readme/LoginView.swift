import RxViewModel
import SwiftUI

struct LoginScreen: View {
  @State private var viewModel: LoginViewModel

  init(service: any LoginService) {
    _viewModel = State(initialValue: LoginViewModel(service: service, scheduler: .main))
  }

  var body: some View { LoginView(viewModel: viewModel) }
}

struct LoginView: View {
  let viewModel: LoginViewModel

  var body: some View {
    Form {
      TextField("Username", text: viewModel.binding(\.username, set: LoginViewModel.Action.setUsername))
        .textContentType(.username)
        .autocorrectionDisabled()
        #if !os(macOS)
          .textInputAutocapitalization(.never)
        #endif
      SecureField("Password", text: viewModel.binding(\.password, set: LoginViewModel.Action.setPassword))
        .textContentType(.password)
      Button("Sign In") { viewModel.execute(.login) }
        .disabled(!viewModel.observed.isLoginEnabled || viewModel.activity.isLoading)
      if viewModel.activity.isLoading { ProgressView("Signing in…") }
      if viewModel.observed.token != nil { Text("Signed in as \(viewModel.observed.signedInUsername)") }
    }
    .onSubmit { viewModel.execute(.login) }
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

private struct PreviewService: LoginService {
  func login(username: String, password: String) async throws -> String { "token" }
}

#Preview { LoginScreen(service: PreviewService()) }
