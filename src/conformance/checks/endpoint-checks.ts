import { type Check, Failed, must, Skipped } from '../check.ts'
import { linksOf } from '../links.ts'
import { type Protocol, sectionOf } from '../protocol.ts'
import { saidBy, type Target } from '../target.ts'

/** A page of another origin. */
const elsewhere = 'https://page.example'
/** What no server should read to its end: an offer has a few KiB. */
const tooLarge = 2 * 1024 * 1024

/** What the endpoint answers, without regard to what an offer asks for. */
export function endpointChecks(protocol: Protocol): Check[] {
  const at = (subject: Parameters<typeof sectionOf>[1]) => sectionOf(protocol, subject)
  return [
    {
      id: 'endpoint-get',
      section: at('http'),
      says: 'GET of the endpoint: 2xx and no content',
      run: async (target) => emptySuccess(target, 'GET', target.endpoint),
    },
    {
      id: 'endpoint-head',
      section: 'RFC 9110 section 9.1',
      says: 'HEAD of the endpoint: 2xx',
      run: async (target) => {
        const reply = await target.send('HEAD', target.endpoint)
        must(isSuccess(reply.status), `It answers ${reply.status}.`)
      },
    },
    {
      id: 'endpoint-options',
      section: at('setup'),
      says: 'OPTIONS of the endpoint, without a token: 2xx with Accept-Post: application/sdp',
      run: async (target) => {
        const reply = await target.send('OPTIONS', target.endpoint, { token: null })
        must(isSuccess(reply.status), `It answers ${saidBy(reply)}.`)
        const types = reply.headers.get('accept-post')
        must(
          types?.toLowerCase().includes('application/sdp') === true,
          types === null ? 'It has no Accept-Post.' : `Its Accept-Post is ${JSON.stringify(types)}.`,
        )
      },
    },
    {
      id: 'endpoint-preflight',
      section: at('setup'),
      says: 'A page’s preflight, without a token: POST with Authorization and Content-Type is allowed',
      run: async (target) => {
        const reply = await preflight(target)
        must(isSuccess(reply.status), `It answers ${saidBy(reply)}.`)
        mustAllowOrigin(reply.headers)
        for (const name of ['authorization', 'content-type']) {
          const allowed = listOf(reply.headers, 'access-control-allow-headers')
          // The star does not stand for Authorization (Fetch, section 4.9).
          const any = allowed.includes('*') && name !== 'authorization'
          must(any || allowed.includes(name), `Its Access-Control-Allow-Headers is ${allowed.join(', ') || 'missing'}.`)
        }
      },
    },
    {
      id: 'preflight-no-ice-servers',
      section: at('iceServers'),
      says: 'A page’s preflight tells no ICE servers',
      run: async (target) => {
        const links = linksOf((await preflight(target)).headers.get('link'), 'ice-server')
        must(links.length === 0, `It tells ${links.length} to everybody.`)
      },
    },
    {
      id: 'endpoint-other-methods',
      section: 'RFC 9110 section 15.5.6',
      says: 'PUT, PATCH and DELETE of the endpoint: 405 with Allow',
      run: async (target) => {
        for (const method of ['PUT', 'PATCH', 'DELETE']) {
          const reply = await target.send(method, target.endpoint)
          must(reply.status === 405, `It answers ${method} with ${saidBy(reply)}.`)
          must(reply.headers.has('allow'), `Its 405 for ${method} has no Allow.`)
        }
      },
    },
    {
      id: 'offer-wrong-type',
      section: at('setup'),
      says: protocol.name === 'WHIP' ? 'An offer of another type: 415' : 'An offer of another type: 4xx',
      run: async (target) => {
        for (const type of ['text/plain', 'application/json']) {
          const reply = await target.post(target.offer(), { type })
          if (reply.status === 201) target.session(reply)
          const right = protocol.name === 'WHIP' ? reply.status === 415 : isRefusal(reply.status)
          must(right, `It answers ${type} with ${saidBy(reply)}.`)
        }
      },
    },
    {
      id: 'offer-type-parameters',
      section: 'RFC 9110 section 8.3.1',
      says: 'An offer whose type has parameters, or other letters: 201',
      run: async (target) => {
        for (const type of ['application/sdp;charset=utf-8', 'application/sdp; charset="UTF-8"', 'Application/SDP']) {
          const reply = await target.post(target.offer(), { type })
          must(reply.status === 201, `It answers ${type} with ${saidBy(reply)}.`)
          await target.end(target.session(reply))
        }
      },
    },
    {
      id: 'offer-malformed',
      section: at('setup'),
      says: protocol.name === 'WHIP' ? 'A body that is no SDP, or none: 400' : 'A body that is no SDP, or none: 4xx',
      run: async (target) => {
        for (const body of ['', 'hello', '{"sdp":"v=0"}', 'v=0\r\n']) {
          const reply = await target.post(body)
          const right = protocol.name === 'WHIP' ? reply.status === 400 : isRefusal(reply.status)
          must(right, `It answers ${JSON.stringify(body)} with ${saidBy(reply)}.`)
        }
      },
    },
    {
      id: 'offer-too-large',
      section: at('security'),
      says: 'An offer of 2 MiB is not taken',
      run: async (target) => {
        const line = `a=x-filling:${'x'.repeat(1000)}\r\n`
        const offer = target.offer() + line.repeat(Math.ceil(tooLarge / line.length))
        // A server may well hang up before it has read all of it, but it must be there still.
        const reply = await target.post(offer).catch(() => null)
        if (reply === null) return void (await target.send('OPTIONS', target.endpoint))
        if (reply.status === 201) target.session(reply)
        must(reply.status >= 400 && reply.status <= 499, `It answers ${saidBy(reply)}.`)
      },
    },
    {
      id: 'offer-without-token',
      section: at('bearer'),
      says: 'An offer without a token: 401 with WWW-Authenticate',
      run: async (target) => mustAskForToken(target, await offerWith(target, null)),
    },
    {
      id: 'offer-wrong-token',
      section: at('bearer'),
      says: 'An offer with a wrong token: 401 or 403',
      run: async (target) => {
        const reply = await offerWith(target, 'wrong')
        // What a caller may not know of may look as if it were not there.
        const hidden = protocol.name === 'WHEP' && reply.status === 404
        must([401, 403].includes(reply.status) || hidden, `It answers ${saidBy(reply)}.`)
      },
    },
    {
      id: 'answer-cors',
      section: at('setup'),
      says: 'The 201 may be read by a page of any origin, its Location, ETag and Link, too',
      run: async (target) => {
        const { created } = await target.open(target.offer(), { headers: { Origin: elsewhere } })
        mustAllowOrigin(created.headers)
        const exposed = listOf(created.headers, 'access-control-expose-headers')
        for (const name of ['location', 'etag', 'link']) {
          must(exposed.includes('*') || exposed.includes(name), `It does not expose ${name}.`)
        }
      },
    },
    {
      id: 'answer-ice-servers',
      section: at('iceServers'),
      says: 'ICE servers in the 201 are STUN and TURN URIs, TURN with user name and credential',
      run: async (target) => {
        const { created } = await target.open()
        const links = linksOf(created.headers.get('link'), 'ice-server')
        if (links.length === 0) throw new Skipped('It tells none.')
        for (const { target: uri, parameters } of links) {
          must(/^(stun|turn)s?:[^/\s]+$/.test(uri), `${uri} is no STUN or TURN URI (RFC 7064, RFC 7065).`)
          if (!uri.startsWith('turn')) continue
          const { username = '', credential = '', 'credential-type': type = 'password' } = parameters
          must(username !== '' && credential !== '', `${uri} has no user name or no credential.`)
          must(type === 'password', `${uri} has the credential type ${type}.`)
        }
      },
    },
  ]
}

function preflight(target: Target) {
  return target.send('OPTIONS', target.endpoint, {
    token: null,
    headers: {
      Origin: elsewhere,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type',
    },
  })
}

/** @throws Skipped when the endpoint takes offers with whatever token */
async function offerWith(target: Target, token: string | null) {
  if (target.token === null) throw new Skipped('No token was given.')
  const reply = await target.post(target.offer(), { token })
  if (reply.status !== 201) return reply
  await target.end(target.session(reply))
  throw new Skipped('The endpoint asks for no token.')
}

/** RFC 6750 section 3: a request without credentials is told which are wanted. */
export function mustAskForToken({ protocol }: Target, reply: Awaited<ReturnType<Target['send']>>): void {
  if (protocol.name === 'WHEP' && reply.status === 404) return
  must(reply.status === 401, `It answers ${saidBy(reply)}.`)
  must(reply.headers.has('www-authenticate'), 'Its 401 has no WWW-Authenticate.')
}

export async function emptySuccess(target: Target, method: string, url: URL): Promise<void> {
  const reply = await target.send(method, url)
  must(isSuccess(reply.status), `It answers ${saidBy(reply)}.`)
  must(reply.body === '', `It answers ${reply.status} with ${reply.body.length} characters.`)
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299
}

export function isRefusal(status: number): boolean {
  return status >= 400 && status <= 499
}

function mustAllowOrigin(headers: Headers): void {
  const origin = headers.get('access-control-allow-origin')
  if (origin === '*' || origin === elsewhere) return
  throw new Failed(origin === null ? 'It has no Access-Control-Allow-Origin.' : `It allows the origin ${origin}.`)
}

function listOf(headers: Headers, name: string): string[] {
  return (headers.get(name) ?? '').split(',').map((each) => each.trim().toLowerCase())
}
