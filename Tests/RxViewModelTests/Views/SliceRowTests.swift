#if canImport(Observation)
  import Observation
  import RxViewModel
  import Testing
  @testable import TestSupport

  private struct Leaf: Sendable, Identifiable {
    let id: CountedID
    var name = "leaf"
    var object: CountedID?
  }

  private struct Branch: Sendable, Identifiable {
    let id: CountedID
    var title = ""
    var leaves: [Leaf] = []
  }

  extension RxViewModel<[Branch], [Branch]> {
    fileprivate func branch(_ id: CountedID) -> ViewModelSlice<[Branch], Branch>? { slice(\.self, id: id, { $0 }) }

    fileprivate func leaf(_ id: CountedID, in branch: CountedID) -> ViewModelSlice<[Branch], Leaf>? {
      self.branch(branch)?.slice(\.leaves, id: id, { $0 })
    }
  }

  // contract 3.7: what views keep of the rows of a list, and of rows in rows
  @MainActor
  struct SliceRowTests {
    private let viewModel = ClosureViewModel<[Branch], [Branch]>([], scheduler: ImmediateScheduler()) { _, branches in
      .just { _ in branches }
    }
    private let place = CountedID(-1)

    /// Reads a leaf as a view does that is notified once.
    private func observe(_ id: CountedID, in branch: CountedID) -> String? {
      withObservationTracking {
        viewModel.leaf(id, in: branch)?.observed.name
      } onChange: {
      }
    }

    // MARK: Cost

    @Test(arguments: [1, 7, 199]) func theRowsOfARowAreReadInAnyOrderInLinearTime(step: Int) {
      let (count, calls) = (200, CallCount())
      let leaves = (0..<count).map { Leaf(id: CountedID($0, calls)) }
      viewModel.execute([Branch(id: CountedID(-2)), Branch(id: place, leaves: leaves)])
      for index in 0..<count { #expect(observe(leaves[index * step % count].id, in: place) == "leaf") }
      viewModel.execute([Branch(id: place, title: "other", leaves: leaves.reversed())])
      for index in 0..<count { #expect(observe(leaves[index * step % count].id, in: place) == "leaf") }
      viewModel.execute([])
      #expect(observe(leaves[0].id, in: place) == nil)
      #expect(calls.count < 100 * count)
    }

    @Test(.stress) func aPrependedRowComparesTheListOnce() {
      expectGrowth(from: 500, below: 9) { count in
        var leaves = (0..<count).map { Leaf(id: CountedID($0)) }
        viewModel.execute([Branch(id: place, leaves: leaves)])
        for leaf in leaves { _ = observe(leaf.id, in: place) }
        for number in 0..<10 {
          leaves.insert(Leaf(id: CountedID(-2 - number)), at: 0)
          viewModel.execute([Branch(id: place, leaves: leaves)])
        }
      }
    }

    // MARK: Memory

    @Test func rowsOfARowThatAreAbsentInTwoStatesLeaveNothing() {
      _ = viewModel.observed
      var ids = (0..<50).map { CountedID($0) }
      let released = ids.map { id in { [weak id] in id == nil } }
      // The ids are those of the branches and of the leaves.
      viewModel.execute(ids.map { id in Branch(id: id, leaves: ids.map { Leaf(id: $0) }) })
      for id in ids { for leaf in ids { #expect(observe(leaf, in: id) == "leaf") } }
      // The first half of the leaves goes, and then all branches.
      viewModel.execute(ids.map { id in Branch(id: id, leaves: ids.suffix(25).map { Leaf(id: $0) }) })
      for id in ids { #expect(observe(ids[49], in: id) == "leaf") }
      ids = []
      for _ in 0..<2 { viewModel.execute([]) }
      #expect(released.allSatisfy { $0() })
    }

    @Test func rowsReadInANotificationLeaveNothing() {
      let count = 10
      var leaves = (0..<count).map { Leaf(id: CountedID($0), object: CountedID($0)) }
      let released = leaves.map { leaf in { [weak object = leaf.object] in object == nil } }
      viewModel.execute([Branch(id: place, leaves: leaves)])
      let ids = leaves.map(\.id)
      leaves = []
      _ = withObservationTracking {
        (viewModel.leaf(ids[5], in: place)?.observed.name, viewModel.branch(place)?.observed.title)
      } onChange: { [viewModel, place] in
        MainActor.assumeIsolated { for id in ids { _ = viewModel.leaf(id, in: place)?.observed.name } }
      }
      for _ in 0..<2 { viewModel.execute([Branch(id: place)]) }
      #expect(released.filter { $0() }.count == count)
    }

    // MARK: A released object may read the view model

    @Test func anIDMayReadTheViewModelWhenItIsReleased() {
      let released = Locked(0)
      let read: @Sendable () -> Void = { [viewModel, place] in
        released.increment()
        MainActor.assumeIsolated {
          _ = withObservationTracking {
            viewModel.leaf(CountedID(0), in: place)?.observed.name
          } onChange: {
          }
        }
      }
      viewModel.execute([Branch(id: place, leaves: [Leaf(id: CountedID(0))])])
      // Two views, each with ids of its own.
      for _ in 0..<2 {
        _ = withObservationTracking {
          [
            viewModel.leaf(CountedID(0, onRelease: read), in: CountedID(-1, onRelease: read))?.observed.name,
            viewModel.branch(CountedID(-1, onRelease: read))?.observed.title,
          ]
        } onChange: {
        }
      }
      viewModel.execute([Branch(id: place, title: "b", leaves: [Leaf(id: CountedID(0), name: "b")])])
      viewModel.execute([])
      viewModel.execute([Branch(id: place, leaves: [Leaf(id: CountedID(0))])])
      for _ in 0..<2 { viewModel.execute([]) }
      #expect(released.value > 0)
    }

    @Test func aRowMayReadTheViewModelWhenItIsReleased() {
      let (places, ids) = ((0..<3).map { CountedID($0) }, (0..<6).map { CountedID($0) })
      let released = Locked(0)
      let read: @Sendable () -> Void = { [viewModel] in
        released.increment()
        MainActor.assumeIsolated {
          _ = withObservationTracking {
            ids.reversed().map { id in places.map { viewModel.leaf(id, in: $0)?.observed.name } }
          } onChange: {
          }
        }
      }
      for round in 0..<30 {
        let branches = places.dropLast(round % 3).map { place in
          Branch(
            id: place, title: "\(round)",
            leaves: ids.dropFirst(round % 5).map {
              Leaf(id: $0, name: "\(round / 2)", object: CountedID(0, onRelease: read))
            })
        }
        viewModel.execute(round % 2 == 0 ? branches : branches.reversed())
        read()
      }
      for _ in 0..<2 { viewModel.execute([]) }
      #expect(released.value > 200)
    }
  }
#endif
