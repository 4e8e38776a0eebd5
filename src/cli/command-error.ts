/**
 * A command cannot go on, and its user can do something about it. The message is a sentence
 * that says what to do; `footlight` prints it alone, without a stack trace, and exits 1.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}
