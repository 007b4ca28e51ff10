import { Type } from 'typebox'
import { documentedAs } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { CATALOG_FIELDS } from '../../catalog/product/fields.service.ts'
import { bodyOf, dataOf, LevelCode, listOf, ProductCode, Reason } from '../console/schemas.ts'
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
const Name = documentedAs(CATALOG_FIELDS.name, Type.String())

export const LevelParameters = Type.Object({ code: LevelCode })
export const LevelResponse = dataOf(Type.Object({ ...level, prices: Type.Array(Price) }))
export const ChangedLevelResponse = dataOf(Type.Object({ ...level, summary: Summary }))

export const NewLevelBody = bodyOf('New price level request', {
  code: LevelCode,
  name: Name,
  reason: Reason,
})

export const LevelBody = bodyOf('Change price level request', { name: Name, reason: Reason })

export const LevelPriceParameters = Type.Object({ code: LevelCode, product: ProductCode })

export const LevelPriceBody = bodyOf('Level price request', {
  discount_type: enumOf(['percentage', 'fixed', 'none'], 'none: the product cannot be bought at this level'),
  value: Type.Optional(
    orNull(documentedAs(CATALOG_FIELDS.rate, Type.String()), 'Such as "0.985"; nothing with none'),
  ),
  currency: Type.Optional(
    documentedAs(CATALOG_FIELDS.currency, Type.String({ description: 'MYR when left out' })),
  ),
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
