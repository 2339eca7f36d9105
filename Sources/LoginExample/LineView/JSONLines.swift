import RxViewModel

/// Every element of the view model's six streams, as a JSON object.
///
/// No object contains a password. For an error an object contains only the kind, because the text comes from the service and may contain
/// anything.
func jsonLines(of viewModel: LoginViewModel) -> Observable<String> {
  .merge([
    viewModel.stateObservable.map { state in
      line("state", [("state", json(state))])
    },
    viewModel.actionAndStateObservable.map { element in
      line("actionAndState", [("action", json(element.action)), ("state", json(element.state))])
    },
    viewModel.errorObservable.map { error in
      line("error", [("error", json(error))])
    },
    viewModel.actionAndErrorObservable.map { element in
      line("actionAndError", [("action", element.action.map(json) ?? .null), ("error", json(element.error))])
    },
    viewModel.isLoadingObservable.map { isLoading in
      line("isLoading", [("isLoading", .bool(isLoading))])
    },
    viewModel.executionObservable.map { execution in
      line("execution", json(execution))
    },
  ])
}

private func line(_ stream: String, _ members: JSONValue.Members) -> String {
  JSONValue.object([("stream", .string(stream))] + members).text
}

private func json(_ state: LoginState) -> JSONValue {
  .object([
    ("username", .string(state.username)),
    ("passwordLength", .number(state.password.count)),
    ("isLoginEnabled", .bool(state.isLoginEnabled)),
    ("token", state.token.map(JSONValue.string) ?? .null),
  ])
}

private func json(_ action: LoginAction) -> JSONValue {
  switch action {
  case .setUsername: "setUsername"
  case .setPassword: "setPassword"
  case .login: "login"
  }
}

private func json(_ error: any Error) -> JSONValue {
  switch error as? LoginError {
  case .wrongUsernameOrPassword: "wrongUsernameOrPassword"
  case .unexpected, nil: "unexpected"
  }
}

private func json(_ execution: Execution<LoginAction, LoginState>) -> JSONValue.Members {
  let members: JSONValue.Members = [
    ("id", .number(Int(execution.id))),
    ("action", json(execution.action)),
    ("mode", .string("\(execution.mode)")),
  ]
  return switch execution.phase {
  case .started: members + [("phase", "started")]
  case .emitted(let state): members + [("phase", "emitted"), ("state", json(state))]
  case .completed(let state): members + [("phase", "completed"), ("state", json(state))]
  case .failed(let error): members + [("phase", "failed"), ("error", json(error))]
  case .cancelled: members + [("phase", "cancelled")]
  case .dropped: members + [("phase", "dropped")]
  }
}
