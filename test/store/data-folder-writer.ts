import { newId } from '../../src/contracts/ids.ts'
import { openStore } from '../../src/store/open-store.ts'
import { sha256 } from './sha256.ts'

// Run as a process of its own: writes as fast as it can, prints what was acknowledged after
// each write, and never ends by itself.
const [folder = '', round = ''] = process.argv.slice(2)
const store = await openStore({ dataFolder: folder })
const person = await store.identity.addPerson({ handle: `writer-${round}` }, Date.now())
if (!person) throw new Error('the handle is taken')
const id = newId('agentStream')
await store.streams.createStream({
  id,
  owner: person.id,
  task: { source: 'desk', ref: round, title: 'Write and be killed' },
  visibility: 'private',
  ticket: { hash: sha256(`${round} 0`), expiresAt: 1e15 },
  linkKeyHash: null,
  createdAt: 1,
})
console.log(id)
for (let n = 1; ; n++) {
  const friend = await store.identity.addPerson({ handle: `r${round}-n${n}` }, n)
  if (!friend) throw new Error('the handle is taken')
  await store.streams.keep(id, {
    type: 'ticket_minted',
    ticket: { hash: sha256(`${round} ${n}`), expiresAt: 1e15 + n },
    at: n,
    replacedUntil: n,
  })
  await store.sharing.share(id, friend.id, n)
  await store.moderators.add(person.channel, friend.id, n)
  const hash = sha256(`view ${round} ${n}`)
  await store.viewTickets.mint({ hash, stream: id, right: { type: 'owner' }, firstMintedAt: n, expiresAt: 1 })
  await store.viewTickets.renew(hash, 0, 1e15 + n)
  await store.streams.keep(id, { type: 'visibility_changed', visibility: n % 2 ? 'public' : 'unlisted' })
  await store.streams.keep(id, { type: 'link_rotated', linkKeyHash: sha256(`key ${round} ${n}`) })
  const bytes = new TextEncoder().encode(`still ${round} ${n}`)
  const still = { hash: sha256(`still ${round} ${n}`), type: 'image/jpeg' as const, size: bytes.length, at: n }
  await store.stills.put(id, still.hash, bytes, n)
  await store.streams.keep(id, { type: 'still_changed', still })
  await store.streams.keep(id, { type: 'worked', workedMs: n })
  console.log(n)
}
