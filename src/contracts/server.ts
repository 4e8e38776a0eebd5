import { type Static, Type } from '@sinclair/typebox'

/** `GET /healthz`: the process answers. */
export const Health = Type.Object({ ok: Type.Literal(true) }, { $id: 'live.health@1' })
export type Health = Static<typeof Health>

/** `GET /readyz`: the database answers and a media worker is up. */
export const Readiness = Type.Object(
  {
    ok: Type.Literal(true),
    workers: Type.Object({ up: Type.Integer({ minimum: 1 }), of: Type.Integer({ minimum: 1 }) }),
  },
  { $id: 'live.readiness@1' },
)
export type Readiness = Static<typeof Readiness>

/** `GET /contracts`: the address of every contract. */
export const ContractList = Type.Object(
  { contracts: Type.Array(Type.String({ pattern: '^/contracts/[a-z.-]+@[0-9]+$' })) },
  { $id: 'live.contract-list@1' },
)
export type ContractList = Static<typeof ContractList>

const Coordinate = Type.Optional(Type.String({ description: 'of an elliptic curve (RFC 7518 section 6.2)' }))

/** `GET /.well-known/jwks.json`: a JWK set (RFC 7517 section 5), public halves only. */
export const KeySet = Type.Object(
  {
    keys: Type.Array(
      Type.Object({
        kty: Type.String(),
        kid: Type.String(),
        alg: Type.String(),
        use: Type.Literal('sig'),
        crv: Type.Optional(Type.String()),
        x: Coordinate,
        y: Coordinate,
      }),
    ),
  },
  { $id: 'live.key-set@1' },
)
export type KeySet = Static<typeof KeySet>
