import { type Check, Failed, must, Skipped } from '../check.ts'
import { type Protocol, sectionOf } from '../protocol.ts'
import { saidBy, type Target } from '../target.ts'
import { emptySuccess, isRefusal, isSuccess, mustAskForToken } from './endpoint-checks.ts'
import { candidatesOf } from './ice-checks.ts'

/** What a session answers beside what is said of its ICE. */
export function sessionChecks(protocol: Protocol): Check[] {
  const at = (subject: Parameters<typeof sectionOf>[1]) => sectionOf(protocol, subject)
  return [
    {
      id: 'session-get',
      section: at('http'),
      says: 'GET of the session: 2xx and no content',
      run: async (target) => emptySuccess(target, 'GET', (await target.open()).url),
    },
    {
      id: 'session-options',
      section: at('setup'),
      says: 'A page’s preflight of the session, without a token: PATCH and DELETE are allowed',
      run: async (target) => {
        const { url } = await target.open()
        for (const method of ['PATCH', 'DELETE']) {
          const reply = await target.send('OPTIONS', url, {
            token: null,
            headers: {
              Origin: 'https://page.example',
              'Access-Control-Request-Method': method,
              'Access-Control-Request-Headers': 'authorization,content-type,if-match',
            },
          })
          must(isSuccess(reply.status), `It answers ${saidBy(reply)}.`)
          const allowed = (reply.headers.get('access-control-allow-methods') ?? '').toUpperCase()
          must(allowed.includes(method) || allowed.trim() === '*', `It does not allow ${method}.`)
        }
      },
    },
    {
      id: 'session-other-methods',
      section: 'RFC 9110 section 15.5.6',
      says: 'POST and PUT of the session: 405 with Allow',
      run: async (target) => {
        const { url } = await target.open()
        for (const method of ['POST', 'PUT']) {
          const reply = await target.send(method, url, { type: 'application/sdp', body: target.offer() })
          must(reply.status === 405, `It answers ${method} with ${saidBy(reply)}.`)
          must(reply.headers.has('allow'), `Its 405 for ${method} has no Allow.`)
        }
      },
    },
    {
      id: 'no-renegotiation',
      section: at('setup'),
      says: 'Another offer for the session is refused, and the session goes on',
      run: async (target) => {
        const session = await target.open()
        const { audio, video } = target.tracks
        const more = target.offer({ sections: [audio, video, { ...video, mid: '2', ssrcs: [3333] }] })
        const reply = await target.patch(session, more, session.match, { type: 'application/sdp' })
        must(isRefusal(reply.status) || reply.status === 501, `It answers ${saidBy(reply)}.`)
        await mustBeThere(target, session.url)
      },
    },
    {
      id: 'patch-without-token',
      section: at('bearer'),
      says: 'PATCH without a token: 401 with WWW-Authenticate',
      run: async (target) => {
        await mustWantToken(target)
        const session = await target.open()
        mustAskForToken(target, await target.patch(session, candidatesOf(session), session.match, { token: null }))
      },
    },
    {
      id: 'delete-without-token',
      section: at('bearer'),
      says: 'DELETE without a token: 401, and the session goes on',
      run: async (target) => {
        await mustWantToken(target)
        const session = await target.open()
        mustAskForToken(target, await target.send('DELETE', session.url, { token: null }))
        await mustBeThere(target, session.url)
      },
    },
    {
      id: 'delete',
      section: at('end'),
      says: 'DELETE of the session: 200, and it is gone',
      run: async (target) => {
        const session = await target.open()
        const reply = await target.end(session)
        must(reply.status === 200, `It answers ${saidBy(reply)}.`)
        const again = await target.send('DELETE', session.url)
        must([404, 410].includes(again.status), `It answers a second DELETE with ${saidBy(again)}.`)
      },
    },
    {
      id: 'delete-ignores-tags',
      section: at('patch'),
      says: 'DELETE with a stale If-Match: 200 all the same',
      run: async (target) => {
        const session = await target.open()
        const reply = await target.end(session, { headers: { 'If-Match': '"stale"' } })
        must(isSuccess(reply.status), `It answers ${saidBy(reply)}.`)
      },
    },
  ]
}

/**
 * A WHEP session's address may be the permission itself (draft-ietf-wish-whep-03 section
 * 4.8.1): what asks for no token cannot be held to ask for it.
 */
async function mustWantToken(target: Target): Promise<void> {
  if (target.token === null) throw new Skipped('No token was given.')
  if (target.protocol.name === 'WHEP') {
    throw new Skipped('The address of a session may be the permission (section 4.8.1).')
  }
  const open = await target.post(target.offer(), { token: null })
  if (open.status !== 201) return
  await target.end(target.session(open))
  throw new Skipped('The endpoint asks for no token.')
}

async function mustBeThere(target: Target, url: URL): Promise<void> {
  const { status } = await target.send('GET', url)
  if (status === 404 || status === 410) throw new Failed('The session is gone after that.')
}
