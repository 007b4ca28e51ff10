import { Type } from 'typebox'
import type { Infer } from '../../../http/codec.ts'
import { input, member, optionalMember, resource } from '../../../http/codec.ts'
import { enumOf, Instant, orNull } from '../../../http/schemas.ts'
import { BOOLEAN, text, wholeNumber } from '../../../lib/input/fields.ts'
import { ID } from '../../../lib/input/ids.ts'
import { PROVIDER } from '../packs/codec.ts'
import { CLAIMS } from '../packs/types.ts'
import type { Standing } from './claims.rules.ts'
import { STANDINGS } from './claims.rules.ts'
import type { Proof, UnknownAnswer } from './types.ts'
import { RESULTS } from './types.ts'

const id = member(ID, { identifies: 'unknown answer' })

export const MEANING_INPUT = input({
  code: PROVIDER,
  id,
  outcome: member(text(1, 30), {
    description: 'Meaning of the word: an outcome of its table, such as pending',
  }),
  failure: optionalMember(wholeNumber(1, 999), { description: 'Code of a failure, such as 52' }),
})
export type MeaningInput = Infer<typeof MEANING_INPUT>
export const DISMISS_INPUT = input({ code: PROVIDER, id })

export const TRIAL_INPUT = input({
  code: PROVIDER,
  liveAddress: optionalMember(BOOLEAN, {
    description: 'The credentials are for tests, although the address is that of real orders too',
  }),
  supplierCode: optionalMember(text(1, 200), {
    description: "The supplier's code of a product, for test orders that name none",
  }),
})

export const PROOF = resource<Proof>()('Provider proof', {
  claim: [Type.String(), ({ claim }) => claim],
  result: [enumOf(RESULTS, 'not_tried: no trial can show it, or none was possible'), ({ result }) => result],
  says: [Type.String(), ({ says }) => says],
  at: [Instant, ({ at }) => at.toISOString()],
  by: [Type.String(), ({ by }) => by],
})

export const STANDING = resource<Standing>()('Claim about a supplier', {
  claim: [enumOf(CLAIMS), ({ claim }) => claim],
  standing: [
    enumOf(STANDINGS, 'proven, disproven: by the last trial that could tell; else by its documents'),
    ({ standing }) => standing,
  ],
  value: [
    Type.Unsafe<boolean | number | string | null>(
      orNull(Type.Union([Type.Boolean(), Type.Number(), Type.String()]), 'null: not known'),
    ),
    ({ value }) => value,
  ],
  says: [Type.String(), ({ says }) => says],
  source: [
    Type.String({ description: 'Page of the supplier that it is taken from' }),
    ({ source }) => source,
  ],
  at: [orNull(Instant, 'Time of the trial; null: it was not tried'), ({ at }) => at?.toISOString() ?? null],
})

export const UNKNOWN_ANSWER = resource<UnknownAnswer>()('Unknown answer of a provider', {
  id: [Type.String(), ({ id: number }) => String(number)],
  operation: [enumOf(['submit', 'query', 'void', 'fetch', 'callback']), ({ operation }) => operation],
  path: [Type.String({ description: 'Path of the word in the answer' }), ({ path }) => path],
  value: [Type.String({ description: 'The word that no table knows' }), ({ value }) => value],
  count: [Type.Integer({ description: 'How often it came' }), ({ count }) => count],
  first_at: [Instant, ({ firstAt }) => firstAt.toISOString()],
  last_at: [Instant, ({ lastAt }) => lastAt.toISOString()],
  sample: [
    Type.String({ description: 'An answer with it; everything that may be secret is masked' }),
    ({ sample }) => sample,
  ],
})
