import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { RefusedError, refuse } from '../../contracts/problem.ts'

const DtlsParameters = Type.Object({
  role: Type.Optional(Type.Union([Type.Literal('auto'), Type.Literal('client'), Type.Literal('server')])),
  fingerprints: Type.Array(
    Type.Object({
      algorithm: Type.Union(
        (['sha-1', 'sha-224', 'sha-256', 'sha-384', 'sha-512'] as const).map((algorithm) => Type.Literal(algorithm)),
      ),
      value: Type.String({ pattern: '^[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){19,63}$' }),
    }),
    { minItems: 1, maxItems: 10 },
  ),
})

/** Checks what a player sends as mediasoup-client's `dtlsParameters`. Throws `invalid_request`. */
export function readDtlsParameters(given: unknown): Static<typeof DtlsParameters> {
  if (Value.Check(DtlsParameters, given)) return given
  throw new RefusedError(refuse('invalid_request', 'dtlsParameters are not what mediasoup-client gives. Send those.'))
}
