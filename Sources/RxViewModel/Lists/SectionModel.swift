/// A section of a list: the model of its header, and its items.
///
///     let sections = [SectionModel(model: "Today", items: messages)]
///
/// It is a plain value. A ``ListDataSource`` shows an array of sections in a view.
public struct SectionModel<Model: Sendable, Item: Sendable>: Sendable {
  /// The value that identifies the section, and that its header or footer shows.
  public var model: Model
  /// The section's items, in the order in which a view shows them.
  public var items: [Item]

  /// Creates a section with the given header and items.
  @inlinable
  public init(model: Model, items: [Item]) {
    self.model = model
    self.items = items
  }
}

extension SectionModel: Equatable where Model: Equatable, Item: Equatable {}

extension SectionModel: Hashable where Model: Hashable, Item: Hashable {}

/// A section has the identity of its model, so that you can pass sections to SwiftUI's `ForEach`.
extension SectionModel: Identifiable where Model: Identifiable {
  /// The identity of ``model``.
  @inlinable
  public var id: Model.ID { model.id }
}
