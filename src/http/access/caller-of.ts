import type { Dependencies } from '../dependencies.ts'
import { authenticate } from '../identity/authenticate.ts'
import type { Caller } from './authorised-stream.ts'

/**
 * Who makes a request, and the link's key that its address carries (`?k=`).
 * @throws RefusedError as {@link authenticate} does
 */
export async function callerOf(needs: Dependencies, request: Request): Promise<Caller> {
  return { principal: await authenticate(needs, request), linkKey: new URL(request.url).searchParams.get('k') }
}
