/**
 * The sentences to print for an error that a command ended with, or `undefined` when it is none
 * of those that were written for a user to read. The classes are told by their names: importing
 * them would load the server for `--help`.
 */
export function sentencesOf(error: unknown): readonly string[] | undefined {
  if (!(error instanceof Error)) return undefined
  switch (error.name) {
    case 'ConfigError':
      return (error as Error & { faults: readonly string[] }).faults
    case 'CommandError':
    case 'StartupError':
    case 'StoreStartError':
    case 'WorkerBinaryError':
      return [error.message]
    default:
      return undefined
  }
}
