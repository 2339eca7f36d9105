/// The text that `--help` prints.
let usage = """
  Usage: LoginExample [--latency MILLISECONDS] [--json] [--help]

  On a terminal a login screen: Tab, Shift-Tab and the arrow keys move. Enter on the button signs in, and so does Enter
  in the last field if the button is enabled; in a field it goes on otherwise. Backspace deletes a character, Ctrl-U a
  field. Escape cancels a sign-in, or leaves, as Ctrl-C does. Ctrl-Z stops the program until fg. It has no color if
  NO_COLOR is set. A terminal of the kind dumb is read and written line by line.

  Elsewhere, and with --json, line by line. Standard input is pairs of lines, a username and then a password, until it ends.
  For each pair the program prints whether the button can be pressed, if that has changed since the pair before
  (so the first pair always says it),

      Sign in: enabled
      Sign in: disabled

  and if it can, signs in and prints one of

      Signed in as NAME
      Wrong username or password
      Something unexpected came up

  The button takes a username of more than 4 characters and a password of more than 2. There is one user, admin with
  the password admin, and one that meets an unexpected error, error with the password error.

  A line ends with LF or CR LF; the last one need not. Bytes that are not UTF-8 are replaced. Of a line longer than
  16 MiB the rest is ignored. On a terminal the program asks for what it reads. A password is not shown,
  unless it is typed before the program asks for it: line by line, the terminal shows what is typed ahead.

  Options:
    --latency MILLISECONDS  how long a sign-in takes, a whole number; 1000 unless given
    --json                  print nothing but one JSON object a line for each element of the view model's six streams:
                            state, actionAndState, error, actionAndError, isLoading, execution
    -h, --help              print this

  Exit code:
     0  the last pair signed in          64  the options can't be understood
     1  it was wrong, or disabled        65  the input ends inside a pair, or holds none; the form is left
     2  it met an unexpected error           without a sign-in, or with the last one unfinished or cancelled
                                         74  the output can't be written any more

  """
