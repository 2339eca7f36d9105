// One thread: `count-instructions` counts what an operation takes, and `time-in-turns` times it.
import Row

measure(viewModelRows + streamRows)
