import { findings } from './setup/findings.ts'
import { table } from './setup/table.ts'

/**
 * `footlight doctor`: prints what is present, what is missing and how to get it. Answers exit
 * code 1 when something is missing that `footlight up` cannot get by itself.
 */
export async function doctor(): Promise<number> {
  const found = await findings(process.env)
  const rows = found.map(({ name, state, detail }) => [name, state, detail])
  console.log(table([['what', 'state', 'where, or how to get it'], ...rows]))
  const inTheWay = found.filter(({ state, neededForUp }) => neededForUp && state !== 'present' && state !== 'free')
  console.log()
  if (inTheWay.length === 0) {
    console.log('footlight up can start.')
    return 0
  }
  console.log(`What footlight up needs and is not there yet: ${inTheWay.map(({ name }) => name).join(', ')}.`)
  return 1
}
