/**
 * Why the store could not be opened, as one sentence for whoever started the server: what is
 * wrong and what to do. Never holds a password. The command line prints it without a stack.
 */
export class StoreStartError extends Error {
  override readonly name = 'StoreStartError'
}
