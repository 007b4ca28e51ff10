import { Type } from 'typebox'
import { resource } from '../../../http/codec.ts'
import { enumOf, Instant, orNull } from '../../../http/schemas.ts'
import type { CountedRefusal } from './health.types.ts'
import { REFUSAL_OUTCOMES } from './health.types.ts'

export const REFUSAL = resource<CountedRefusal>()('Provider failure', {
  word: [
    orNull(Type.String(), "The supplier's own code or word; null: it gave none, or was not reached"),
    ({ word }) => (word === '' ? null : word),
  ],
  outcome: [
    enumOf(REFUSAL_OUTCOMES, 'failed: the order ended; not_acted: it went to the next route'),
    ({ outcome }) => outcome,
  ],
  code: [Type.Integer({ description: 'Our code' }), ({ code }) => code],
  count: [Type.Integer({ description: 'Number of answers' }), ({ count }) => count],
  last_at: [Instant, ({ lastAt }) => lastAt.toISOString()],
})
