import { Type } from 'typebox'
import { bodyOf, dataOf, enumOf, listOf, orNull, Reason } from '../console/schemas.ts'
import { Comparison, Summary } from './catalog.schemas.ts'

const level = { code: Type.String(), name: Type.String() }

const Price = Type.Object(
  {
    product: Type.String(),
    discount_type: enumOf(['percentage', 'fixed']),
    value: Type.String({ description: 'The factor on the face value, or the ringgit taken off it' }),
    currency: Type.String(),
  },
  { title: 'Level price' },
)

export const LevelListResponse = listOf(
  Type.Object({ ...level, prices: Type.Integer() }, { title: 'Price level' }),
)
export const LevelParameters = Type.Object({ code: Type.String() })
export const LevelResponse = dataOf(Type.Object({ ...level, prices: Type.Array(Price) }))
export const ChangedLevelResponse = dataOf(Type.Object({ ...level, summary: Summary }))

export const NewLevelBody = bodyOf('New price level request', {
  code: Type.String({ description: '1 to 40 capital letters, digits or _' }),
  name: Type.String({ description: '1 to 100 characters' }),
  reason: Reason,
})

export const LevelBody = bodyOf('Change price level request', { name: Type.String(), reason: Reason })

export const LevelPriceParameters = Type.Object({ code: Type.String(), product: Type.String() })

export const LevelPriceBody = bodyOf('Level price request', {
  discount_type: enumOf(['percentage', 'fixed', 'none'], 'none: the product cannot be bought at this level'),
  value: Type.Optional(orNull(Type.String(), 'Such as "0.985"; nothing with none')),
  currency: Type.Optional(Type.String({ description: 'MYR when left out' })),
  dry_run: Type.Optional(Type.Boolean({ description: 'Check and measure it, and change nothing' })),
  reason: Reason,
})

export const LevelPriceResponse = dataOf(
  Type.Object({
    level: Type.String(),
    product: Type.String(),
    price: orNull(Price),
    summary: Summary,
    comparison: Comparison,
  }),
)
