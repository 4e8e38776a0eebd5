import { Elysia } from 'elysia'
import { type InvitedPerson, type KnownPerson, NewPerson } from '../../contracts/operator.ts'
import { RefusedError, refuse } from '../../contracts/problem.ts'
import type { Dependencies } from '../dependencies.ts'
import { readBearer } from '../identity/bearer.ts'
import { inviteSignIn } from '../identity/invite-sign-in.ts'
import { parseJson } from '../read-body.ts'
import { operatorCapability } from './operator-capability.ts'
import { operatorOperations } from './operator-operations.ts'

/** What the command line does on a server that runs. For tokens that the data folder's own key signed. */
export function operatorRoutes(needs: Dependencies) {
  const { identity, origin, now } = needs
  return new Elysia({ name: 'operator' })
    .post(
      '/api/operator/people',
      async ({ request, body, set }): Promise<InvitedPerson> => {
        await mustBeOperator(request)
        const person = await identity.addPerson({ handle: body.handle }, now())
        if (person === null) {
          throw new RefusedError(refuse('handle_taken', `There is a @${body.handle} already. Choose another handle.`))
        }
        set.status = 201
        return { ...person, sign_in_url: await inviteSignIn(identity, person, origin(), now()) }
      },
      { parse: parseJson, body: NewPerson, ...operatorOperations.add },
    )
    .get(
      '/api/operator/people/:handle',
      async ({ request, params: { handle } }): Promise<KnownPerson> => {
        await mustBeOperator(request)
        return await known(handle)
      },
      operatorOperations.find,
    )
    .post(
      '/api/operator/people/:handle/sign-in-link',
      async ({ request, params: { handle }, set }): Promise<InvitedPerson> => {
        await mustBeOperator(request)
        const person = await known(handle)
        set.status = 201
        return { ...person, sign_in_url: await inviteSignIn(identity, person, origin(), now()) }
      },
      operatorOperations.invite,
    )

  async function known(handle: string) {
    const person = await identity.personByHandle(handle)
    if (person === null) {
      throw new RefusedError(refuse('not_found', `There is no @${handle}. Add them: footlight person add ${handle}.`))
    }
    return person
  }

  async function mustBeOperator(request: Request): Promise<void> {
    const token = readBearer(request.headers.get('authorization')) ?? ''
    const claims = await needs.issuer.verify(token, needs.audience).catch(() => {
      throw new RefusedError(refuse('invalid_token', 'This is for the command line on the server’s own machine.'))
    })
    if (!claims.capabilities.includes(operatorCapability)) {
      throw new RefusedError(refuse('capability.denied', `The token lacks the capability ${operatorCapability}.`))
    }
  }
}
