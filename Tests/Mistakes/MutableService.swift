// The compiler says: stored property 'service' of 'Sendable'-conforming class 'TitleService' is mutable
import RxViewModel

final class TitleService: Sendable {
  var service = 0
}
