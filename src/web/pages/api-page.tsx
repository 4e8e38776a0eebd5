import { areas, credentials, type PlacedOperation } from '../../contracts/operation.ts'
import { type ProblemCode, problems } from '../../contracts/problem.ts'
import { publishedContracts } from '../../contracts/published.ts'
import type { Assets } from '../assets.ts'
import { ApiOperation } from './api-operation.tsx'
import { contractAnchor, SchemaFields } from './api-schema.tsx'
import { renderDocument } from './document.tsx'
import { Masthead } from './masthead.tsx'

export interface ApiPageInput {
  readonly operations: readonly PlacedOperation[]
  /** Of the server. */
  readonly version: string
  /** How people reach the server. */
  readonly origin: string
  readonly assets: Assets
  readonly nonce?: string
}

/** `/docs`: the API, as its routes describe themselves. Needs no script. */
export function renderApiPage({ operations, version, origin, assets, nonce }: ApiPageInput): string {
  const parts = areas
    .map(({ name, about }) => ({ name, about, operations: operations.filter(({ area }) => area === name) }))
    .filter((part) => part.operations.length > 0)
  return renderDocument({
    title: 'The API · Footlight',
    assets,
    styles: 'api.css',
    nonce,
    indexed: true,
    bodyClass: 'page page-api',
    children: (
      <>
        <Masthead />
        <div class="api">
          <nav class="contents" aria-label="Contents">
            <Contents parts={parts} />
          </nav>
          <main>
            <h1>The API</h1>
            <p class="lead">
              Everything that Footlight’s own pages, desk and player do, they do by these calls. Version {version}.
            </p>
            <details class="contents-small">
              <summary>Contents</summary>
              <nav aria-label="Contents">
                <Contents parts={parts} />
              </nav>
            </details>
            <Conventions origin={origin} />
            {parts.map(({ name, about, operations: here }) => (
              <section id={anchor(name)}>
                <h2>{name}</h2>
                <p class="section-about">{about}</p>
                {here.map((operation) => (
                  <ApiOperation operation={operation} />
                ))}
              </section>
            ))}
            <Contracts />
            <Problems />
          </main>
        </div>
      </>
    ),
  })
}

interface Part {
  readonly name: string
  readonly operations: readonly PlacedOperation[]
}

function anchor(area: string): string {
  return area.toLowerCase().replaceAll(' ', '-')
}

function Contents({ parts }: { parts: readonly Part[] }) {
  return (
    <ul>
      <li>
        <a class="part-link" href="#conventions">
          Conventions
        </a>
      </li>
      {parts.map(({ name, operations }) => (
        <li>
          <a class="part-link" href={`#${anchor(name)}`}>
            {name}
          </a>
          <ul>
            {operations.map(({ name: operation, summary }) => (
              <li>
                <a href={`#${operation}`}>{summary}</a>
              </li>
            ))}
          </ul>
        </li>
      ))}
      <li>
        <a class="part-link" href="#contracts">
          Contracts
        </a>
      </li>
      <li>
        <a class="part-link" href="#problems">
          Problem codes
        </a>
      </li>
    </ul>
  )
}

function Conventions({ origin }: { origin: string }) {
  return (
    <section id="conventions">
      <h2>Conventions</h2>
      <p>
        The examples want <code>FOOTLIGHT={origin}</code>, and in variables what only you have: <code>$TOKEN</code> (a
        service token), <code>$TICKET</code>, <code>$VIEW_TICKET</code>, <code>$STREAM</code> (an id).
      </p>
      <ul class="prose">
        <li>
          A refusal is <code>application/problem+json</code> (RFC 9457) with a <code>code</code>;{' '}
          <a href="#problems">the codes</a> mean the same on every call.
        </li>
        <li>
          JSON answers name their <a href="#contracts">contract</a> by <code>Link: …; rel="describedby"</code>. A field
          that the contract does not name is refused.
        </li>
        <li>
          Times are RFC 3339 in UTC. Ids are a prefix and a ULID. <code>429</code> and <code>503</code> carry{' '}
          <code>Retry-After</code>.
        </li>
        <li>What the caller may not see is answered like what is not there: 404.</li>
        <li>
          For programs: <a href="/openapi.json">/openapi.json</a>.
        </li>
      </ul>
      <h3>What callers present</h3>
      <dl class="credentials">
        {Object.values(credentials).map(({ name, about }) => (
          <>
            <dt>{name}</dt>
            <dd>{about}</dd>
          </>
        ))}
      </dl>
    </section>
  )
}

function Contracts() {
  return (
    <section id="contracts">
      <h2>Contracts</h2>
      <p class="section-about">The shapes of what goes in and out. Each is served as JSON Schema.</p>
      {publishedContracts.map((schema) => {
        const id = String(schema.$id)
        return (
          <article class="contract" id={contractAnchor(id)}>
            <h3>
              <a class="title-link" href={`/contracts/${id}`}>
                {id}
              </a>
            </h3>
            <SchemaFields schema={schema} />
          </article>
        )
      })}
    </section>
  )
}

function Problems() {
  return (
    <section id="problems">
      <h2>Problem codes</h2>
      <p class="section-about">
        The <code>type</code> of a problem is <code>/problems/</code> and its code.
      </p>
      <dl class="problems">
        {(Object.keys(problems) as ProblemCode[]).map((code) => {
          const { status, title, advice } = problems[code]
          return (
            <div id={`problem-${code}`}>
              <dt>
                <span class="status-code">{status}</span>{' '}
                <a class="problem-link" href={`/problems/${code}`}>
                  {code}
                </a>
              </dt>
              <dd>
                <strong>{title}.</strong> {advice}
              </dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}
