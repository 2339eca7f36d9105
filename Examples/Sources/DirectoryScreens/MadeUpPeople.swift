extension Person {
  /// Fictional people, the same in every run, sorted by last name. Their ids are their indices.
  public static func madeUp(_ count: Int = 10_000) -> [Person] {
    var numbers = Numbers()
    let names = (0..<count).map { _ in
      (first: firstNames[numbers.next(firstNames.count)], last: lastName(&numbers))
    }
    return names.sorted { ($0.last, $0.first) < ($1.last, $1.first) }.enumerated().map { id, name in
      var person = Person(id: id, name: "\(name.first) \(name.last)", lastSeen: .seconds(-1 - numbers.next(90)))
      person.color = PersonColor.allCases[numbers.next(PersonColor.allCases.count)]
      return person
    }
  }

  private static func lastName(_ numbers: inout Numbers) -> String {
    var name = starts[numbers.next(starts.count)]
    for _ in 0...numbers.next(2) { name += middles[numbers.next(middles.count)] }
    return name + ends[numbers.next(ends.count)]
  }

  private static let firstNames = """
    Ada Alan Amara Anna Annika Astrid Barbara Bruno Carla Chen Clara Daniel Dora Edgar Elena Emil Esther Fatima Felix \
    Flora Grace Hannah Hedy Hugo Ida Ivan Jamal Joanna John Jonas Julia Kamala Karl Kenji Lara Lena Leo Linus Lucia \
    Maria Marianne Max Mina Mohamed Nadia Niels Noor Olga Omar Otto Paula Pedro Priya Quinn Rafael Rosa Ruth Samir \
    Sara Sofia Tariq Theo Tove Ulla Uma Vera Victor Wanda Wei Xenia Yara Yusuf Zoe
    """.split(separator: " ").map(String.init)
  private static let starts = """
    A Al Am Ba Be Bo Ca Co Da De Do E El Fa Fo Ga Gi Ha He Ho I In Ja Jo Ka Ko La Le Lo Ma Me Mo Na Ne No O Ol Pa Pe \
    Po Qua Ra Re Ro Sa Se So Ta Te To U Va Ve Vo Wa We Xe Ya Yo Za Ze
    """.split(separator: " ").map(String.init)
  private static let middles = "be da dri ga ka la li lo ma mi na ni ra ri ro sa si ta ti va".split(separator: " ")
    .map(String.init)
  private static let ends = "berg dal ev feld ham kova ley man mer n nen nic ov rez s sen son ster ti ton va wood"
    .split(separator: " ").map(String.init)
}

/// Pseudorandom numbers, made by a linear congruential generator.
private struct Numbers {
  private var state: UInt64 = 42

  /// The next number, from 0 to `limit` - 1.
  mutating func next(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }
}
