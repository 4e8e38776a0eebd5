/** The worker program cannot be had; the message is a sentence that says what to do. */
export class WorkerBinaryError extends Error {
  override readonly name = 'WorkerBinaryError'
}
