/** Why the server did not start: one sentence that says what to do. Printed without a stack trace. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}
