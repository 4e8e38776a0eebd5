import { type ProblemCode, RefusedError } from '../../src/contracts/problem.ts'

/** The code that the promise was refused with. Fails when it resolved or threw anything else. */
export async function refusalOf(promise: Promise<unknown>): Promise<ProblemCode> {
  try {
    await promise
  } catch (error) {
    if (error instanceof RefusedError) return error.refusal.code
    throw error
  }
  throw new Error('it was not refused')
}
