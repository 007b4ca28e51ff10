import { Type } from 'typebox'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { dataOf, Instant } from '../access/schemas.ts'
import { STEPS } from './checklist.rules.ts'

export const ChecklistResponse = dataOf(
  Type.Object(
    {
      done: Type.Boolean({ description: 'true: every step is' }),
      steps: Type.Array(
        Type.Object({
          code: enumOf(STEPS.map(({ code }) => code)),
          done_at: orNull(Instant, 'ISO 8601, UTC; null: not yet'),
          page: Type.String({ description: 'The page of the portal where it is done' }),
        }),
        { description: 'In their order' },
      ),
    },
    { title: 'Checklist' },
  ),
)
