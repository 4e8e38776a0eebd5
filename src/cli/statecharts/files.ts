import { drawChart } from '../../web/statechart/draw-chart.ts'
import { layOutChart } from '../../web/statechart/lay-out-chart.ts'
import { describeMachine } from './describe-machine.ts'
import { createElk } from './elk.ts'
import { documentedMachines } from './machines.ts'
import { statechartsPage } from './page.ts'

/** Where the pictures are, from the repository's root; nothing else is there. */
export const pictureFolder = 'docs/statecharts'
const page = 'docs/statecharts.md'

/**
 * What the repository is to hold about its statecharts: text by path from the root. The same on
 * every machine and every day, so that it can be compared with what is committed.
 */
export async function statechartFiles(): Promise<ReadonlyMap<string, string>> {
  const elk = createElk()
  const entries = documentedMachines().map(({ machine, ...more }) => ({ chart: describeMachine(machine), ...more }))
  const files = new Map([[page, statechartsPage(entries)]])
  for (const { chart } of entries) {
    const layout = await layOutChart(chart, elk)
    files.set(`${pictureFolder}/${chart.id}.svg`, drawChart(layout, { title: `The statechart of ${chart.id}` }))
  }
  return files
}
