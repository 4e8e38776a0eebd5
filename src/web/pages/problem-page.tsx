import type { ProblemKind } from '../../contracts/problem.ts'
import type { Assets } from '../assets.ts'
import { renderDocument } from './document.tsx'
import { Masthead } from './masthead.tsx'

/** `/problems/<code>`, for a person: what a code means and what to do. */
export function renderProblemPage({ problem, assets }: { problem: ProblemKind; assets: Assets }): string {
  const { code, status, title, advice } = problem
  return renderDocument({
    title: `${title} · Footlight`,
    assets,
    styles: 'site.css',
    bodyClass: 'page page-message',
    children: (
      <>
        <Masthead />
        <main class="message">
          <h1>{title}</h1>
          <p>{advice}</p>
          <p>
            <code>{code}</code>, HTTP status {status}
          </p>
          <p>
            <a href="/docs#problems">All problem codes</a>
          </p>
        </main>
      </>
    ),
  })
}
