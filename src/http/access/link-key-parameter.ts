import type { Parameter } from '../../contracts/operation.ts'

/** `?k=`, as routes that heed it describe it. */
export const linkKeyParameter: Parameter = {
  name: 'k',
  in: 'query',
  says: 'The key of an unlisted stream’s link: 22 characters.',
}
