import { type Answer, credentials, type PlacedOperation } from '../../contracts/operation.ts'
import { type ProblemCode, problems } from '../../contracts/problem.ts'
import { curlOf } from './api-curl.ts'
import { ContractLink, SchemaFields } from './api-schema.tsx'

/** One call: what it does, who may make it, what goes in and what comes out. */
export function ApiOperation({ operation }: { operation: PlacedOperation }) {
  const { name, method, path, summary, about, who, accepts, open } = operation
  return (
    <article class="operation" id={name}>
      <h3>
        <a class="title-link" href={`#${name}`}>
          {summary}
        </a>
      </h3>
      <p class="address">
        <span class="method" data-method={method}>
          {method}
        </span>
        <code>{breakable(path)}</code>
      </p>
      {about === undefined ? null : <p>{about}</p>}
      <dl>
        <dt>Who</dt>
        <dd>{who}</dd>
        {accepts.length === 0 ? null : (
          <>
            <dt>Presents</dt>
            <dd>
              {[
                ...accepts.map((credential) => credentials[credential].name.toLowerCase()),
                ...(open ? ['nothing'] : []),
              ].join(' or ')}
            </dd>
          </>
        )}
        <Takes operation={operation} />
        <dt>Answers</dt>
        <dd>
          <ul class="answers">
            {Object.entries(operation.answers).map(([status, answer]) => (
              <AnswerLine status={status} answer={answer} />
            ))}
          </ul>
        </dd>
        <Refuses codes={operation.refuses} />
      </dl>
      <pre>
        <code>{curlOf(operation)}</code>
      </pre>
    </article>
  )
}

/** A path that may break before each slash. */
function breakable(path: string) {
  return path.split(/(?=\/)/).map((part) => (
    <>
      <wbr />
      {part}
    </>
  ))
}

function Takes({ operation: { query, body, parameters = [], sends } }: { operation: PlacedOperation }) {
  return (
    <>
      {query === null && parameters.length === 0 ? null : (
        <>
          <dt>Parameters</dt>
          <dd>
            {query === null ? null : <SchemaFields schema={query} />}
            {parameters.length === 0 ? null : (
              <ul class="fields">
                {parameters.map(({ name, in: where, says }) => (
                  <li>
                    <code class="field-name">{name}</code>
                    <span class="field-type">
                      {where}
                      <em> optional</em>
                    </span>
                    <span class="field-note">{says}</span>
                  </li>
                ))}
              </ul>
            )}
          </dd>
        </>
      )}
      {body === null ? null : (
        <>
          <dt>Takes</dt>
          <dd>
            {body.$id === undefined ? null : <ContractLink id={body.$id} />}
            <SchemaFields schema={body} />
          </dd>
        </>
      )}
      {sends === undefined ? null : (
        <>
          <dt>Takes</dt>
          <dd>{sends.types.join(' or ')}</dd>
        </>
      )}
    </>
  )
}

function AnswerLine({ status, answer: { says, contract, types, headers } }: { status: string; answer: Answer }) {
  return (
    <li>
      <span class="status-code">{status}</span> {says}{' '}
      {contract?.$id === undefined ? null : <ContractLink id={contract.$id} />}
      {contract !== undefined && types !== undefined ? ' or ' : null}
      {types?.join(' or ')}
      {headers === undefined ? null : <span class="quiet"> with {headers.join(', ')}</span>}
    </li>
  )
}

function Refuses({ codes }: { codes: readonly ProblemCode[] }) {
  if (codes.length === 0) return null
  const ordered = [...codes].sort((a, b) => problems[a].status - problems[b].status)
  return (
    <>
      <dt>Refuses</dt>
      <dd>
        <ul class="codes">
          {ordered.map((code) => (
            <li>
              <a class="code-link" href={`#problem-${code}`} title={problems[code].title}>
                <span class="status-code">{problems[code].status}</span> {code}
              </a>
            </li>
          ))}
        </ul>
      </dd>
    </>
  )
}
