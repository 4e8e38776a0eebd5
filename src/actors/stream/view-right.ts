import type { Visibility } from '../../contracts/agent-stream.ts'
import type { ViewRight } from '../ports/view-right.ts'

/** What a right may depend on. */
export interface Visible {
  readonly visibility: Visibility
  readonly linkKeyHash: string | null
}

/** Whether a right still holds for a stream as it is now. Sharing is taken back by name, not here. */
export function rightHolds(right: ViewRight, { visibility, linkKeyHash }: Visible): boolean {
  switch (right.type) {
    case 'owner':
    case 'desk':
    case 'shared':
      return true
    case 'moderator':
      return visibility !== 'private'
    case 'link':
      return visibility === 'public' || (visibility === 'unlisted' && right.key === linkKeyHash)
    case 'public':
      return visibility === 'public'
  }
}
