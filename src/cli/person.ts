import { loadConfig } from '../config.ts'
import { handlePattern } from '../store/identity-store.ts'
import { CommandError } from './command-error.ts'
import { addPerson as add, type InvitedPerson, linkPerson as link } from './operator.ts'

/** `footlight person add HANDLE`: adds a person and prints a sign-in link. */
export async function addPerson(handle: string): Promise<number> {
  return print(await add(loadConfig(process.env), usable(handle)))
}

/** `footlight person link HANDLE`: prints another sign-in link for a person who is there. */
export async function linkPerson(handle: string): Promise<number> {
  return print(await link(loadConfig(process.env), usable(handle)))
}

function usable(handle: string): string {
  const lower = handle.replace(/^@/, '').toLowerCase()
  if (handlePattern.test(lower)) return lower
  throw new CommandError('A handle has 2 to 30 letters, digits, - and _, and begins with a letter or digit.')
}

/** The link alone goes to standard output, so that it can be handed on. */
function print({ handle, id, signInUrl }: InvitedPerson): number {
  console.error(`@${handle} is ${id}. This link signs them in, once, within 15 minutes:`)
  console.log(signInUrl)
  return 0
}
