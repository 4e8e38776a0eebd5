import { readBearer } from './bearer.ts'
import { hashSecret } from './secret.ts'

/** The hash of the publish ticket that a request presents; `null`: it presents none. */
export function readDeskTicket(request: Request): string | null {
  const token = readBearer(request.headers.get('authorization'))
  return token?.startsWith('wpt_') ? hashSecret(token) : null
}
