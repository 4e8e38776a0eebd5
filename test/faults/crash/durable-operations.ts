import { expect } from 'bun:test'
import type { CrashingServer, Reply, Somebody } from './crashing-server.ts'

/** Something whose answer is a promise. Each part gets what the one before it answered. */
export interface DurableOperation {
  readonly name: string
  /** What has to be there before; its answer is what is done, and what must be so ever after. */
  prepare(
    server: CrashingServer,
    people: { readonly owner: Somebody; readonly other: Somebody },
  ): Promise<{
    readonly run: () => Promise<Reply>
    readonly accepts: number
    /** Asked of the server that was started anew. */
    readonly holds: (answer: Reply) => Promise<void>
  }>
}

/** The smallest WebP there is, and a different one each time. */
function picture(text: string): Uint8Array<ArrayBuffer> {
  const data = new TextEncoder().encode(text)
  const size = new Uint8Array(new Uint32Array([12 + data.length]).buffer)
  const part = new TextEncoder()
  return new Uint8Array([...part.encode('RIFF'), ...size, ...part.encode('WEBPVP8 '), ...data])
}

async function newStream(server: CrashingServer, owner: Somebody, visibility: 'private' | 'unlisted' | 'public') {
  const task = { source: 'desk', ref: 'crash', title: 'Work' }
  const { status, json } = await server.call('POST', '/api/streams/agent', {
    bearer: owner.token,
    body: { task, visibility },
  })
  expect(status).toBe(201)
  const { stream, publish, link } = json
  const path = `/api/streams/agent/${stream.id}`
  const key = link === undefined ? '' : String(new URL(link.url).searchParams.get('k'))
  const at = (method: string, rest: string, body?: object, bearer = owner.token) =>
    server.call(method, `${path}${rest}`, { bearer, ...(body && { body }) })
  return { id: String(stream.id), path, ticket: String(publish.ticket), key, at }
}

const cookieOf = ({ headers }: Reply) => String(headers.get('set-cookie')).split(';', 1)[0] ?? ''

export const durableOperations: readonly DurableOperation[] = [
  {
    name: 'create a stream',
    async prepare(server, { owner }) {
      const body = { task: { source: 'desk', ref: 'crash', title: 'Kept' }, visibility: 'unlisted' }
      return {
        run: () => server.call('POST', '/api/streams/agent', { bearer: owner.token, body }),
        accepts: 201,
        async holds({ json: { stream, publish, link } }) {
          const { status, json } = await server.call('GET', `/api/streams/agent/${stream.id}`, { bearer: owner.token })
          expect([status, json.task.title, json.visibility, json.state]).toEqual([200, 'Kept', 'unlisted', 'idle'])
          const state = await server.call('GET', `/api/streams/agent/${stream.id}/state`, { bearer: publish.ticket })
          expect([state.status, state.json.ends_at]).toEqual([200, publish.expires_at])
          const k = new URL(link.url).searchParams.get('k')
          expect(
            (await server.call('POST', `/api/streams/agent/${stream.id}/view-ticket`, { body: { k } })).status,
          ).toBe(201)
        },
      }
    },
  },
  {
    name: 'mint a publish ticket',
    async prepare(server, { owner }) {
      const stream = await newStream(server, owner, 'private')
      return {
        run: () => stream.at('POST', '/ticket'),
        accepts: 201,
        async holds({ json: { ticket, expires_at } }) {
          const { status, json } = await stream.at('GET', '/state', undefined, ticket)
          expect([status, json.ends_at]).toEqual([200, expires_at])
          // A replaced ticket renews nothing any more.
          expect((await stream.at('POST', '/ticket', undefined, stream.ticket)).status).toBe(401)
        },
      }
    },
  },
  {
    name: 'revoke the publish ticket',
    async prepare(server, { owner }) {
      const stream = await newStream(server, owner, 'private')
      return {
        run: () => stream.at('DELETE', '/ticket'),
        accepts: 200,
        async holds() {
          expect((await stream.at('GET', '/state', undefined, stream.ticket)).status).toBe(401)
        },
      }
    },
  },
  {
    name: 'raise the curtain',
    async prepare(server, { owner }) {
      const stream = await newStream(server, owner, 'private')
      return {
        run: () => stream.at('POST', '/curtain', { up: true, reason: 'secret_file' }, stream.ticket),
        accepts: 200,
        async holds({ json: { since } }) {
          expect((await stream.at('GET', '')).json.curtain).toEqual({ up: true, since })
          const { holds } = (await stream.at('GET', '/curtain')).json
          expect(holds).toEqual([{ by: 'desk', reason: 'secret_file', raised_at: since }])
        },
      }
    },
  },
  {
    name: 'lower the curtain',
    async prepare(server, { owner }) {
      const stream = await newStream(server, owner, 'private')
      const { cookie } = await signIn(server, owner)
      const curtain = (up: boolean) => server.call('POST', `${stream.path}/curtain`, { cookie, body: { up } })
      expect((await curtain(true)).json.up).toBe(true)
      return {
        run: () => curtain(false),
        accepts: 200,
        async holds({ json }) {
          expect(json.up).toBe(false)
          expect((await stream.at('GET', '')).json.curtain).toEqual({ up: false })
          expect((await stream.at('GET', '/curtain')).json.holds).toEqual([])
        },
      }
    },
  },
  {
    name: 'hide a stream',
    async prepare(server, { owner }) {
      const stream = await newStream(server, owner, 'public')
      return {
        run: () => stream.at('PATCH', '', { visibility: 'private' }),
        accepts: 200,
        async holds() {
          expect((await stream.at('GET', '')).json.visibility).toBe('private')
          expect((await server.call('GET', stream.path)).status).toBe(404)
        },
      }
    },
  },
  {
    name: 'show a stream',
    async prepare(server, { owner }) {
      const stream = await newStream(server, owner, 'private')
      return {
        run: () => stream.at('PATCH', '', { visibility: 'public' }),
        accepts: 200,
        async holds() {
          expect((await server.call('GET', stream.path)).json.visibility).toBe('public')
        },
      }
    },
  },
  {
    name: 'rotate the link',
    async prepare(server, { owner }) {
      const stream = await newStream(server, owner, 'unlisted')
      const open = (k: string | null) => server.call('POST', `${stream.path}/view-ticket`, { body: { k } })
      return {
        run: () => stream.at('POST', '/rotate-link'),
        accepts: 200,
        async holds({ json }) {
          expect((await open(new URL(json.url).searchParams.get('k'))).status).toBe(201)
          expect((await open(stream.key)).status).toBe(404)
        },
      }
    },
  },
  {
    name: 'share with somebody',
    async prepare(server, { owner, other }) {
      const stream = await newStream(server, owner, 'private')
      return {
        run: () => stream.at('PUT', '/share', { handle: other.handle }),
        accepts: 200,
        async holds({ json }) {
          expect((await stream.at('GET', '/share')).json).toEqual(json)
          expect((await server.call('GET', stream.path, { bearer: other.token })).status).toBe(200)
        },
      }
    },
  },
  {
    name: 'take sharing back',
    async prepare(server, { owner, other }) {
      const stream = await newStream(server, owner, 'private')
      expect((await stream.at('PUT', '/share', { handle: other.handle })).status).toBe(200)
      const { ticket } = (await server.call('POST', `${stream.path}/view-ticket`, { bearer: other.token })).json
      return {
        run: () => stream.at('DELETE', `/share?handle=${other.handle}`),
        accepts: 200,
        async holds() {
          expect((await stream.at('GET', '/share')).json.people).toEqual([])
          expect((await server.call('GET', stream.path, { bearer: other.token })).status).toBe(404)
          expect((await server.call('GET', stream.path, { bearer: ticket })).status).toBe(401)
        },
      }
    },
  },
  {
    name: 'add a moderator',
    async prepare(server, { owner, other }) {
      const path = `/api/channels/${owner.channel}/moderators`
      return {
        run: () => server.call('PUT', path, { bearer: owner.token, body: { handle: other.handle } }),
        accepts: 200,
        async holds({ json }) {
          expect(json.people.map(({ person }: { person: string }) => person)).toEqual([other.id])
          expect((await server.call('GET', path, { bearer: owner.token })).json).toEqual(json)
        },
      }
    },
  },
  {
    name: 'remove a moderator',
    async prepare(server, people) {
      // A channel of somebody else, so that it does not meet the one above.
      const [owner, other] = [people.other, people.owner]
      const path = `/api/channels/${owner.channel}/moderators`
      const added = await server.call('PUT', path, { bearer: owner.token, body: { handle: other.handle } })
      expect(added.json.people.length).toBe(1)
      return {
        run: () => server.call('DELETE', `${path}?handle=${other.handle}`, { bearer: owner.token }),
        accepts: 200,
        async holds() {
          expect((await server.call('GET', path, { bearer: owner.token })).json.people).toEqual([])
        },
      }
    },
  },
  {
    name: 'mint a view ticket',
    async prepare(server, { owner }) {
      const stream = await newStream(server, owner, 'unlisted')
      return {
        run: () => server.call('POST', `${stream.path}/view-ticket`, { body: { k: stream.key } }),
        accepts: 201,
        async holds({ json: { ticket, renewable_until } }) {
          expect((await server.call('GET', stream.path, { bearer: ticket })).status).toBe(200)
          const renewed = await server.call('POST', `${stream.path}/view-ticket`, { body: { renew: ticket } })
          expect([renewed.status, renewed.json.renewable_until]).toEqual([200, renewable_until])
        },
      }
    },
  },
  {
    name: 'send a still',
    async prepare(server, { owner }) {
      const stream = await newStream(server, owner, 'private')
      const before = picture('the one before')
      expect((await stream.at('PUT', '/frame', before, stream.ticket)).status).toBe(204)
      const still = picture(`of ${stream.id}`)
      return {
        run: () => stream.at('PUT', '/frame', still, stream.ticket),
        accepts: 204,
        async holds({ headers }) {
          const got = await stream.at('GET', '/frame')
          expect([got.status, got.headers.get('etag')]).toEqual([200, headers.get('etag')])
          expect(got.bytes).toEqual(still)
        },
      }
    },
  },
  {
    name: 'end a stream',
    async prepare(server, { owner }) {
      const stream = await newStream(server, owner, 'private')
      return {
        run: () => stream.at('POST', '/end', undefined, stream.ticket),
        accepts: 200,
        async holds({ json: { ended_at } }) {
          const { json } = await stream.at('GET', '')
          expect([json.state, json.ended_at, json.ended_why]).toEqual(['ended', ended_at, 'desk'])
          expect((await stream.at('GET', '/state', undefined, stream.ticket)).status).toBe(401)
        },
      }
    },
  },
  {
    name: 'add a person',
    async prepare(server) {
      const handle = `new-${crypto.randomUUID().slice(0, 8)}`
      return {
        run: async () => {
          const person = await server.somebody(handle)
          return { status: 201, headers: new Headers(), bytes: new Uint8Array(), json: person }
        },
        accepts: 201,
        async holds({ json: { signInPath } }) {
          expect((await server.call('POST', signInPath)).status).toBe(303)
        },
      }
    },
  },
  {
    name: 'sign in with a link',
    async prepare(server, { owner }) {
      const stream = await newStream(server, owner, 'private')
      const path = await server.signInPath(owner.handle)
      return {
        run: () => server.call('POST', path),
        accepts: 303,
        async holds(answer) {
          // Spent for ever, and its session stands.
          expect((await server.call('POST', path)).status).toBe(410)
          expect((await server.call('GET', stream.path, { cookie: cookieOf(answer) })).status).toBe(200)
        },
      }
    },
  },
  {
    name: 'sign out',
    async prepare(server, { owner }) {
      const stream = await newStream(server, owner, 'private')
      const { cookie } = await signIn(server, owner)
      expect((await server.call('GET', stream.path, { cookie })).status).toBe(200)
      return {
        run: () => server.call('POST', '/sign-out', { cookie }),
        accepts: 303,
        async holds() {
          expect((await server.call('GET', stream.path, { cookie })).status).toBe(404)
        },
      }
    },
  },
]

async function signIn(server: CrashingServer, { handle }: Somebody): Promise<{ cookie: string }> {
  return { cookie: cookieOf(await server.call('POST', await server.signInPath(handle))) }
}
