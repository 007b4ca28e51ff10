import { Type } from 'typebox'
import { parameter } from '../../../http/parameters.ts'
import { enumOf } from '../../../http/schemas.ts'
import { SEARCH_TEXT } from '../../../lib/input/named.ts'
import { required } from '../../../lib/input/parameters.ts'
import { CASE_KINDS, CASE_STATES } from '../../cases/types.ts'
import { dataOf } from '../kit/schemas.ts'
import { FOUND_PAYMENT } from './payments.codec.ts'

export const EVERYTHING_RULES = { q: required('q', SEARCH_TEXT) }

export const EverythingParameters = Type.Object({
  q: parameter(EVERYTHING_RULES.q, 'At least 2 characters'),
})

const named = (description: string) =>
  Type.Array(Type.Object({ code: Type.String(), name: Type.String() }), { description })

export const EverythingResponse = dataOf(
  Type.Object(
    {
      payments: Type.Array(FOUND_PAYMENT.schema, {
        description: 'With this id, this reference at a provider (W…-1), or this refid at any reseller',
      }),
      resellers: Type.Array(
        Type.Object({ account: Type.String(), name: Type.String(), status: Type.String() }),
        { description: 'Resellers whose account begins with it, or with it in name or e-mail address' },
      ),
      products: named('With it in code or name'),
      providers: named('With it in code or name'),
      cases: Type.Array(
        Type.Object({
          number: Type.String(),
          kind: enumOf(CASE_KINDS),
          state: enumOf(CASE_STATES),
          refid: Type.String(),
          reseller: Type.String({ description: "The reseller's account number" }),
        }),
        { description: 'With this number' },
      ),
    },
    { title: 'Operator search', description: 'At most 8 of each; what your role may not read is empty' },
  ),
)
