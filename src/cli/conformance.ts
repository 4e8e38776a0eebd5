import { conforms, jsonReport, resultLine, summaryLine } from '../conformance/report.ts'
import { type EndpointUnderTest, runSuites, type SuiteResult } from '../conformance/suites.ts'
import { CommandError } from './command-error.ts'

export interface ConformanceOptions {
  readonly whip?: string
  readonly token?: string
  readonly whep?: string
  readonly whepToken?: string
  readonly json?: boolean
}

/**
 * `footlight conformance`: runs the suites of RFC 9725 and WHEP against endpoints of whatever
 * server. Answers exit code 1 when something failed.
 * @throws CommandError when there is nothing to run, or an address is none
 */
export async function conformance(
  options: ConformanceOptions,
  print: (line: string) => void = console.log,
): Promise<number> {
  const whip = endpoint('--whip', options.whip, options.token)
  const whep = endpoint('--whep', options.whep, options.whepToken)
  if (whip === null && whep === null)
    throw new CommandError('Say what to run against: --whip URL, --whep URL, or both.')
  let printed: SuiteResult['suite'] | null = null
  const suites = await runSuites({
    whip,
    whep,
    onResult: (suite, result) => {
      if (options.json === true) return
      if (printed !== suite) print(`${suite} ${(suite === 'WHIP' ? whip : whep)?.url}`)
      printed = suite
      print(resultLine(result))
    },
  })
  if (options.json === true) print(jsonReport(suites))
  else for (const suite of suites) print(summaryLine(suite))
  return conforms(suites) ? 0 : 1
}

function endpoint(option: string, url: string | undefined, token: string | undefined): EndpointUnderTest | null {
  if (url === undefined) return null
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new CommandError(
      `${option} must be an address such as https://live.example${option === '--whip' ? '/whip' : '/whep'}/…`,
    )
  }
  return { url, token: token ?? null }
}
