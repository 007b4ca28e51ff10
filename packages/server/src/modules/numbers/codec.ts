import { Type } from 'typebox'
import { resource } from '../../http/codec.ts'
import { enumOf, orNull } from '../../http/schemas.ts'
import { NUMBER_KINDS } from '../../lib/numbers/plans.ts'
import type { NumberLookup } from './types.ts'
import { LOOKUP_SOURCES } from './types.ts'

export const LOOKUP = resource<NumberLookup, string>()('Number look-up', {
  account: [Type.String({ description: 'As sent' }), (_, account) => account],
  e164: [Type.String({ description: 'International, with its plus' }), ({ number }) => `+${number}`],
  country: [
    orNull(Type.String(), 'ISO 3166; null: several countries share its calling code'),
    ({ country }) => country,
  ],
  kind: [enumOf([...NUMBER_KINDS, 'unknown']), ({ kind }) => kind],
  operator: [
    orNull(Type.Object({ code: Type.String(), name: Type.String() }), 'null: not known'),
    ({ operator }) => operator && { code: operator.code, name: operator.name },
  ],
  source: [
    orNull(
      enumOf(LOOKUP_SOURCES),
      'How the operator is known: by the prefix, a supplier, or your own payments',
    ),
    ({ source }) => source,
  ],
  is_certain: [
    Type.Boolean({ description: 'false: a guess by the prefix. Numbers are ported.' }),
    ({ source }) => source === 'supplier' || source === 'history',
  ],
  products: [
    Type.Array(Type.String(), { description: 'Codes that you may buy for the number, the operator’s first' }),
    ({ products }) => [...products],
  ],
})
