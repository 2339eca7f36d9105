import RxViewModel
import RxViewModelRecording
import SwiftUI

@main
struct BooksApp: App {
  /// Its `recording.description` is the text of a bug report, which a test can replay.
  private static let recorder = Recorder()
  @State private var viewModel = Catalogue.viewModel(.demo, recorder: recorder)

  var body: some Scene {
    WindowGroup { CatalogueView(viewModel: viewModel) }
  }
}

struct CatalogueView: View {
  let viewModel: FeatureViewModel<Catalogue>

  var body: some View {
    NavigationStack {
      // The list reads only the ids, so a row that changes redraws alone.
      List(viewModel.observed.ids, id: \.self) { id in
        if let row = viewModel.slice(\.rows, id: id, { .row(id, $0) }) {
          BookRowView(row: row) { viewModel.execute(.open(id)) }
        }
      }
      .overlay {
        if viewModel.observed.hasFailed {
          ContentUnavailableView {
            Label("No answer from the library", systemImage: "wifi.slash")
          } actions: {
            Button("Try again") { viewModel.execute(.search) }
          }
        }
      }
      .navigationTitle("Books")
      .searchable(text: viewModel.binding(\.text, set: Catalogue.Action.setText))
      .toolbar {
        // Also while a row or the sheet is loading.
        if viewModel.activity.isLoading { ProgressView() }
      }
    }
    .onAppear { viewModel.execute(.search) }
    .sheet(item: viewModel.binding(\.detail, Catalogue.Action.detail, dismiss: .close)) { detail in
      BookDetailView(detail: detail)
    }
  }
}

struct BookRowView: View {
  let row: ViewModelSlice<BookRow.Action, BookRow.State>
  let open: @MainActor () -> Void

  var body: some View {
    HStack {
      Button(row.observed.book.title, action: open)
      if row.observed.book.notes.isRead { Label("Read", systemImage: "checkmark").labelStyle(.iconOnly) }
      Spacer()
      if let copies = row.observed.copies {
        Text("\(copies) left")
      } else if row.activity.isLoading {
        ProgressView()
      } else if let failure = row.activity.failure {
        Button("Try again") {
          row.activity.failure = nil
          failure.retry()
        }
      }
    }
    .buttonStyle(.borderless)
    .onAppear { row.execute(.load) }
  }
}

struct BookDetailView: View {
  let detail: ViewModelSlice<BookDetail.Action, BookDetail.State>
  @FocusState private var isTyping: Bool

  var body: some View {
    NavigationStack {
      Form {
        Toggle("Read", isOn: detail.binding(\.notes.value.isRead, set: BookDetail.Action.setRead))
        TextField("Notes", text: detail.binding(\.notes.value.text, set: BookDetail.Action.setText), axis: .vertical)
          .focused($isTyping)
      }
      .disabled(detail.activity.isLoading)
      .onChange(of: isTyping) { detail.execute(isTyping ? .beginTyping : .endTyping) }
      .navigationTitle(detail.observed.book.title)
      .toolbar {
        Button("Undo") { detail.execute(.undo) }.disabled(!detail.observed.notes.canUndo || detail.activity.isLoading)
        Button("Redo") { detail.execute(.redo) }.disabled(!detail.observed.notes.canRedo || detail.activity.isLoading)
        Button("Save") { detail.execute(.save) }.disabled(!detail.observed.canSave || detail.activity.isLoading)
      }
      .alert("That didn't work", isPresented: Bindable(detail.activity).hasFailure) {
        Button("Try again") { detail.activity.failure?.retry() }
        Button("Cancel", role: .cancel) {}
      } message: {
        Text(detail.activity.failure?.error.localizedDescription ?? "")
      }
    }
  }
}

// MARK: - Previews

struct CatalogueView_Previews: PreviewProvider {
  static var previews: some View {
    CatalogueView(viewModel: Catalogue.viewModel(.preview)).previewDisplayName("Books")
    CatalogueView(viewModel: Catalogue.viewModel(offline)).previewDisplayName("Offline")
  }

  private static var offline: Library {
    var library = Library.preview
    library.find = { _ in throw URLError(.notConnectedToInternet) }
    return library
  }
}

struct BookDetailView_Previews: PreviewProvider {
  static var previews: some View {
    let state = Catalogue.State(detail: BookDetail.State(Book.examples[0]))
    let viewModel = Catalogue.viewModel(.preview, initialState: state)
    if let detail = viewModel.slice(\.detail, Catalogue.Action.detail) { BookDetailView(detail: detail) }
  }
}
