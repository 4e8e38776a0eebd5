import { loadConfig } from '../config.ts'
import { CommandError } from './command-error.ts'
import { findPerson, mintServiceToken } from './operator.ts'

/** `footlight token`: prints a service token. `person` is a handle. */
export async function mintToken(options: {
  person?: string
  as?: string
  capability: string[]
  minutes: number
}): Promise<number> {
  const config = loadConfig(process.env)
  const { as, capability, minutes } = options
  const subject: { person?: string; as?: string } = as === undefined ? {} : { as }
  if (options.person !== undefined) {
    const handle = options.person.replace(/^@/, '').toLowerCase()
    const person = await findPerson(config, handle)
    if (person === null) throw new CommandError(`There is no @${handle}. Add them: footlight person add ${handle}`)
    if (as !== undefined) console.error(`Send X-OV-Subject: ${person} to act for @${handle}.`)
    subject.person = person
  }
  console.log(await mintServiceToken(config, { ...subject, capabilities: capability, minutes }))
  return 0
}
