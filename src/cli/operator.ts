import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { inviteSignIn } from '../http/identity/invite-sign-in.ts'
import { type LocalIssuer, openLocalIssuer } from '../http/identity/local-issuer.ts'
import { operatorCapability } from '../http/operator/operator-capability.ts'
import { openConfiguredStore, serverFile } from '../main.ts'
import type { Store } from '../store/open-store.ts'
import { CommandError } from './command-error.ts'

/** A person, with a sign-in link that works once. */
export interface InvitedPerson {
  readonly id: string
  readonly handle: string
  readonly signInUrl: string
}

/**
 * Adds a person.
 * @throws CommandError when the handle is taken or does not fit
 */
export async function addPerson(config: Config, handle: string): Promise<InvitedPerson> {
  return await atServerOrStore(
    config,
    (call) => call('POST', '/api/operator/people', { handle }).then(invited),
    async (store, origin) => {
      const person = await store.identity.addPerson({ handle }, Date.now())
      if (person === null) throw new CommandError(`There is a @${handle} already. Choose another handle.`)
      return { ...person, signInUrl: await inviteSignIn(store.identity, person, origin, Date.now()) }
    },
  )
}

/**
 * A new sign-in link for a person who is there.
 * @throws CommandError when there is no such person
 */
export async function linkPerson(config: Config, handle: string): Promise<InvitedPerson> {
  return await atServerOrStore(
    config,
    (call) => call('POST', `/api/operator/people/${encodeURIComponent(handle)}/sign-in-link`).then(invited),
    async (store, origin) => {
      const person = await mustKnow(store, handle)
      return { ...person, signInUrl: await inviteSignIn(store.identity, person, origin, Date.now()) }
    },
  )
}

/** The person with this handle, added when there is none, with a sign-in link. */
export async function ensurePerson(config: Config, handle: string): Promise<InvitedPerson> {
  return (await findPerson(config, handle)) === null
    ? await addPerson(config, handle)
    : await linkPerson(config, handle)
}

/** The person's id, or `null`. */
export async function findPerson(config: Config, handle: string): Promise<string | null> {
  return await atServerOrStore(
    config,
    async (call) => {
      const { status, body } = await call('GET', `/api/operator/people/${encodeURIComponent(handle)}`, undefined, [404])
      return status === 404 ? null : String(body.id)
    },
    async (store) => (await store.identity.personByHandle(handle))?.id ?? null,
  )
}

/**
 * A service token for this server (RFC 7519), signed with the data folder's key.
 * @param options.person the person's id, as `sub`
 * @param options.as the service's name, as `sub: svc:<name>`: it names people by `X-OV-Subject`
 */
export async function mintServiceToken(
  config: Config,
  options: { person?: string; as?: string; capabilities: readonly string[]; minutes: number },
): Promise<string> {
  const subject = options.as === undefined ? options.person : `svc:${options.as}`
  if (subject === undefined) throw new CommandError('Say whom the token is for: --person HANDLE, or --as SERVICE.')
  const issuer = await openLocalIssuer(config.dataFolder)
  const { capabilities, minutes } = options
  return await issuer.sign({ subject, capabilities, audience: config.audience, minutes })
}

type Call = (
  method: string,
  path: string,
  body?: object,
  accepts?: readonly number[],
) => Promise<{ readonly status: number; readonly body: Record<string, unknown> }>

/** While the server runs it holds the store: it is asked. Else the store is opened for a moment. */
async function atServerOrStore<T>(
  config: Config,
  atServer: (call: Call) => Promise<T>,
  atStore: (store: Store, origin: string) => Promise<T>,
): Promise<T> {
  const url = await runningServer(config)
  if (url !== null) return await atServer(caller(config, url, await openLocalIssuer(config.dataFolder)))
  const store = await openConfiguredStore(config)
  try {
    return await atStore(store, config.publicUrl ?? `http://${config.host}:${config.port}`)
  } finally {
    await store.close()
  }
}

/** Where the server of this data folder listens; `null`: it does not run. */
async function runningServer(config: Config): Promise<string | null> {
  try {
    const { pid, url } = JSON.parse(await readFile(join(config.dataFolder, serverFile), 'utf8'))
    process.kill(pid, 0)
    return (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(3000) })).ok ? url : null
  } catch {
    return null
  }
}

function caller(config: Config, url: string, issuer: LocalIssuer): Call {
  return async (method, path, body, accepts = []) => {
    const token = await issuer.sign({
      subject: 'svc:footlight-cli',
      capabilities: [operatorCapability],
      audience: config.audience,
      minutes: 1,
    })
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const answer = (await response.json()) as Record<string, unknown>
    if (response.ok || accepts.includes(response.status)) return { status: response.status, body: answer }
    const faults = Array.isArray(answer.errors) ? answer.errors.map(({ path: at, message }) => `${at}: ${message}`) : []
    throw new CommandError([String(answer.detail), ...faults].join(' '))
  }
}

function invited({ body }: { body: Record<string, unknown> }): InvitedPerson {
  return { id: String(body.id), handle: String(body.handle), signInUrl: String(body.sign_in_url) }
}

async function mustKnow(store: Store, handle: string) {
  const person = await store.identity.personByHandle(handle)
  if (person === null) throw new CommandError(`There is no @${handle}. Add them: footlight person add ${handle}`)
  return person
}
