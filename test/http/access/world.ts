import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, SignJWT, UnsecuredJWT } from 'jose'
import { ulid } from 'ulid'
import { SimulatedClock } from 'xstate'
import type { ViewRight } from '../../../src/actors/ports/view-right.ts'
import type { Visibility } from '../../../src/contracts/agent-stream.ts'
import { newId } from '../../../src/contracts/ids.ts'
import { publishCapability } from '../../../src/http/access/access.ts'
import { hashSecret, mintLinkKey, mintSecret } from '../../../src/http/identity/secret.ts'
import { operatorCapability } from '../../../src/http/operator/operator-capability.ts'
import type { Person } from '../../../src/store/identity-store.ts'
import { startTestServer, type TestServer } from '../test-server.ts'

/** The streams that the table is about. */
export const situations = ['no such stream', 'private', 'unlisted', 'public', 'ended'] as const
/** `ended`: it was public. */
export type Situation = (typeof situations)[number]

const minute = 60_000
const hour = 60 * minute

export interface SignedInPerson extends Person {
  /** The session's token. */
  readonly session: string
}

/** One stream with all that anybody may show to it. Time stands still. */
export interface World {
  readonly situation: Situation
  readonly stream: string
  /** The id of a stream that would be older than this one and newer than every other. */
  readonly earlier: string
  readonly people: {
    readonly owner: SignedInPerson
    readonly shared: SignedInPerson
    readonly moderator: SignedInPerson
    readonly stranger: SignedInPerson
    readonly unshared: SignedInPerson
    readonly liveOwner: SignedInPerson
    readonly expiredSession: string
  }
  readonly tokens: Readonly<Record<TokenName, string>>
  readonly tickets: Readonly<Record<'current' | 'inGrace' | 'expired' | 'revoked' | 'replaced' | 'foreign', string>>
  readonly viewTickets: Readonly<
    Record<
      | 'owner'
      | 'shared'
      | 'moderator'
      | 'link'
      | 'rotatedLink'
      | 'public'
      | 'expired'
      | 'foreign'
      | 'unshared'
      | 'spent',
      string
    >
  >
  readonly keys: Readonly<Record<'right' | 'rotated' | 'foreign', string>>
}

export type TokenName =
  | 'forOwner'
  | 'localForOwner'
  | 'owner'
  | 'forStranger'
  | 'svc'
  | 'svcWithout'
  | 'node'
  | 'operator'
  | 'app'
  | 'appForOwner'
  | 'otherAudience'
  | 'expired'
  | 'wrongKey'
  | 'unsigned'
  | 'hmac'
  | 'unknownIssuer'

const issuer = 'https://id.test'

/** A running server whose clock stands still, with people and tokens; makes worlds on it. */
export async function startStage(env: Record<string, string> = {}) {
  const clock = new SimulatedClock()
  clock.set(Date.now())
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const folder = await mkdtemp(join(tmpdir(), 'footlight-access-'))
  const jwks = join(folder, 'jwks.json')
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }
  await writeFile(jwks, JSON.stringify({ keys: [jwk] }))
  const rates = [
    'PUBLISH_TICKET',
    'VIEW_TICKET',
    'SIGN_IN',
    'CREATE_STREAM',
    'WHIP',
    'WHEP',
    'WHIP_SESSION',
    'WHEP_SESSION',
  ]
  const server = await startTestServer(
    {
      FOOTLIGHT_ISSUERS: JSON.stringify([{ issuer, jwks }]),
      FOOTLIGHT_LIVE_OWNER: 'lena',
      // A private, an unlisted and a public stream are live at the same time.
      FOOTLIGHT_LIVE_LIMIT: '3',
      ...Object.fromEntries(rates.map((kind) => [`FOOTLIGHT_RATE_${kind}`, 'off'])),
      ...env,
    },
    clock,
  )
  const people = await makePeople(server, clock.now())
  const tokens = await makeTokens(server, people, keys.privateKey, other.privateKey, jwk)
  const foreign = await makeForeign(server, people, clock.now())
  return {
    server,
    clock,
    people,
    makeWorld: (situation: Situation) => makeWorld(server, { people, tokens, foreign, now: clock.now() }, situation),
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type Stage = Awaited<ReturnType<typeof startStage>>

async function makePeople({ identity }: TestServer, now: number): Promise<World['people']> {
  const session = async (person: string, expiresAt: number) => {
    const { secret, hash } = mintSecret('session')
    await identity.createSession({ hash, person, createdAt: now - 31 * 24 * hour, expiresAt })
    return secret
  }
  const add = async (handle: string): Promise<SignedInPerson> => {
    const person = await identity.addPerson({ handle }, now)
    if (person === null) throw new Error(`${handle} is taken`)
    return { ...person, session: await session(person.id, now + hour) }
  }
  const owner = await add('ada')
  // Whom others share with; no caller.
  await add('pia')
  return {
    owner,
    shared: await add('sam'),
    moderator: await add('mona'),
    stranger: await add('steve'),
    unshared: await add('una'),
    liveOwner: await add('lena'),
    // Last: a new session clears away the person's expired ones.
    expiredSession: await session(owner.id, now - 1000),
  }
}

async function makeTokens(
  server: TestServer,
  people: World['people'],
  key: KeyObject,
  otherKey: KeyObject,
  jwk: object,
): Promise<World['tokens']> {
  const { audience } = server.config
  const owner = people.owner.id
  const may = { capabilities: [publishCapability] }
  const token = (claims: object, from = issuer) =>
    new SignJWT({ ...claims }).setIssuer(from).setAudience(audience).setIssuedAt().setExpirationTime('1h')
  const header = { alg: 'ES256', kid: 'k1' }
  const signed = (claims: object, from = issuer) => token(claims, from).setProtectedHeader(header).sign(key)
  const local = (subject: string, capability: string) =>
    server.issuer.sign({ subject, capabilities: [capability], audience, minutes: 60 })
  return {
    forOwner: await signed({ sub: owner, ...may }),
    localForOwner: await local(owner, publishCapability),
    owner: await signed({ sub: owner, capabilities: [] }),
    forStranger: await signed({ sub: people.stranger.id, ...may }),
    svc: await signed({ sub: 'svc:codes', ...may }),
    svcWithout: await signed({ sub: 'svc:chat', capabilities: ['chat.post'] }),
    node: await signed({ sub: 'node:n1', ...may }),
    operator: await local('svc:footlight', operatorCapability),
    app: await signed({ sub: 'app:weather', ...may }),
    appForOwner: await signed({ sub: owner, app_id: 'weather', ...may }),
    otherAudience: await token({ sub: owner, ...may })
      .setAudience('openvibe.chat')
      .setProtectedHeader(header)
      .sign(key),
    expired: await token({ sub: owner, ...may })
      .setExpirationTime('-1h')
      .setProtectedHeader(header)
      .sign(key),
    wrongKey: await token({ sub: owner, ...may })
      .setProtectedHeader(header)
      .sign(otherKey),
    unsigned: new UnsecuredJWT({ sub: owner, ...may })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('1h')
      .encode(),
    hmac: await token({ sub: owner, ...may })
      .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
      .sign(Buffer.from(JSON.stringify(jwk))),
    unknownIssuer: await signed({ sub: owner, ...may }, 'https://other.test'),
  }
}

/** A view ticket of a stream, by that right; good for nine minutes more when nothing else is said. */
async function makeViewTicket(
  { store }: TestServer,
  ticket: { stream: string; right: ViewRight; firstMintedAt: number; expiresAt?: number },
): Promise<string> {
  const { secret, hash } = mintSecret('viewTicket')
  await store.viewTickets.mint({ expiresAt: ticket.firstMintedAt + 10 * minute, ...ticket, hash })
  return secret
}

/** What belongs to another stream than the one that is asked for. */
interface Foreign {
  readonly ticket: string
  readonly viewTicket: string
  readonly key: string
}

async function makeForeign(server: TestServer, people: World['people'], now: number): Promise<Foreign> {
  const { id, tickets, keys } = await makeStream(server, people, now, 'private')
  const viewTicket = await makeViewTicket(server, { stream: id, right: { type: 'owner' }, firstMintedAt: now - minute })
  return { ticket: tickets.current, viewTicket, key: keys.right.secret }
}

/** What belongs to a stream that has had a life. */
interface MadeStream {
  readonly id: string
  readonly tickets: Omit<World['tickets'], 'foreign'>
  readonly keys: Readonly<Record<'rotated' | 'right', ReturnType<typeof mintLinkKey>>>
}

/**
 * A stream of the owner's with a life of six hours and five tickets: one was revoked; one was
 * replaced long ago and nothing else speaks against it; one has expired, and its grace would still
 * run; one was replaced half a minute ago by the current one.
 */
async function makeStream(
  { store }: TestServer,
  { owner, shared }: World['people'],
  now: number,
  visibility: Visibility,
): Promise<MadeStream> {
  const { streams, stills, sharing } = store
  const task = { source: 'desk', ref: 'test', title: 'Test the checkout' } as const
  const id = newId('agentStream')
  const [revoked, expired, replaced, inGrace, current] = Array.from({ length: 5 }, () =>
    mintSecret('publishTicket'),
  ) as Minted[]
  const [rotated, right] = [mintLinkKey(), mintLinkKey()]
  if (!revoked || !expired || !replaced || !inGrace || !current) throw new Error('five tickets were asked for')
  await streams.createStream({
    id,
    owner: owner.id,
    task,
    visibility,
    ticket: { hash: revoked.hash, expiresAt: now - 2 * hour },
    linkKeyHash: rotated.hash,
    createdAt: now - 6 * hour,
  })
  await streams.keep(id, { type: 'ticket_revoked', at: now - 5.5 * hour })
  const mint = (hash: string, at: number, expiresAt: number) =>
    streams.keep(id, { type: 'ticket_minted', ticket: { hash, expiresAt }, at, replacedUntil: at + minute })
  await mint(replaced.hash, now - 5 * hour, now + hour)
  await mint(expired.hash, now - 4 * hour - 10_000, now - 10_000)
  await mint(inGrace.hash, now - 40_000, now + 4 * hour - 40_000)
  await mint(current.hash, now - 30_000, now + 4 * hour - 30_000)
  await streams.keep(id, { type: 'link_rotated', linkKeyHash: right.hash })
  const bytes = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4])
  const hash = hashSecret('a still')
  await stills.put(id, hash, bytes, now)
  await streams.keep(id, { type: 'still_changed', still: { hash, type: 'image/jpeg', size: bytes.length, at: now } })
  await sharing.share(id, shared.id, now)
  return {
    id,
    tickets: {
      revoked: revoked.secret,
      expired: expired.secret,
      replaced: replaced.secret,
      inGrace: inGrace.secret,
      current: current.secret,
    },
    keys: { rotated, right },
  }
}

async function makeWorld(
  server: TestServer,
  { people, tokens, foreign, now }: Pick<World, 'people' | 'tokens'> & { foreign: Foreign; now: number },
  situation: Situation,
): Promise<World> {
  const { streams, moderators } = server.store
  await moderators.add(people.owner.channel, people.moderator.id, now)
  const visibility = situation === 'ended' || situation === 'no such stream' ? 'public' : situation
  const earlier = `ags_${ulid(Date.now() - 1)}`
  const { id, tickets, keys } = await makeStream(server, people, now, visibility)
  if (situation === 'ended') await streams.keep(id, { type: 'ended', at: now - 1000, why: 'owner', workedMs: 0 })
  const owner = { type: 'owner' } as const
  const mint = (right: ViewRight, firstMintedAt = now - minute, expiresAt = now + 9 * minute) =>
    makeViewTicket(server, { stream: id, right, firstMintedAt, expiresAt })
  return {
    situation,
    earlier,
    // All that is shown belongs to a stream; it is another one that is asked for.
    stream: situation === 'no such stream' ? newId('agentStream') : id,
    people,
    tokens,
    tickets: { ...tickets, foreign: foreign.ticket },
    viewTickets: {
      owner: await mint(owner),
      shared: await mint({ type: 'shared', person: people.shared.id }),
      moderator: await mint({ type: 'moderator', person: people.moderator.id }),
      link: await mint({ type: 'link', key: keys.right.hash }),
      rotatedLink: await mint({ type: 'link', key: keys.rotated.hash }),
      public: await mint({ type: 'public' }),
      expired: await mint(owner, now - 11 * minute, now - 1000),
      // Four hours from the first mint are over, and the last ten minutes are not.
      spent: await mint(owner, now - 4 * hour, now + 30_000),
      foreign: foreign.viewTicket,
      unshared: await mint({ type: 'shared', person: people.unshared.id }),
    },
    keys: { right: keys.right.secret, rotated: keys.rotated.secret, foreign: foreign.key },
  }
}

type Minted = ReturnType<typeof mintSecret>
