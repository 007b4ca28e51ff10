import { Type } from 'typebox'
import { documentedAs } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import type { RuleSchema } from '../../../lib/input/fields.ts'
import { CATALOG_FIELDS } from '../../catalog/model/fields.service.ts'
import { dataOf, Instant, Money } from '../access/schemas.ts'

const Adjustment = Type.Object({
  type: enumOf(['fixed', 'percentage']),
  value: Type.String({
    description:
      'fixed: ringgit added to the price, such as 0.50 or -0.50. percentage: a factor, such as 1.02',
  }),
})

// ── Answers ──

const place = {
  code: Type.String(),
  name: Type.String(),
  icon_url: Type.String(),
  display_order: Type.Integer(),
  is_active: Type.Boolean(),
  is_own: Type.Boolean({ description: 'One of your own' }),
}

const Margin = orNull(
  Type.Object({ min: Money, max: Money }),
  'Over its denominations, or the ends of its range; null: not known',
)

const product = {
  code: Type.String(),
  name: Type.String(),
  base_name: Type.String(),
  category: Type.String(),
  base_category: Type.String(),
  image_url: Type.String(),
  display_order: Type.Integer(),
  processing_time: Type.String(),
  is_active: Type.Boolean({ description: 'Whether your customers see it' }),
  is_enabled: Type.Boolean({ description: 'false: you switched it off' }),
  is_hidden: Type.Boolean(),
  is_refundable: Type.Boolean(),
  min_amount: orNull(Money),
  max_amount: orNull(Money),
  adjustment: orNull(Adjustment),
  discount: orNull(Type.Object({ type: enumOf(['percentage', 'fixed']), unit_price: Type.String() })),
  margin: Margin,
  has_loss_risk: Type.Boolean(),
}

const customised = { is_customised: Type.Boolean({ description: 'You changed something of it' }) }

const Product = Type.Object({ ...product, ...customised }, { title: 'Portal product' })

const Line = Type.Object(
  {
    option: orNull(Type.String()),
    label: Type.String(),
    denomination: Type.String({ description: "In the product's own unit" }),
    cost: Money,
    price: Money,
    retail_price: Money,
    margin: Money,
    has_loss_risk: Type.Boolean(),
    is_active: Type.Boolean(),
  },
  { title: 'Price line' },
)

export const CatalogResponse = dataOf(
  Type.Object(
    {
      fingerprint: Type.String({ description: 'Changes with everything that you see' }),
      updated_at: Instant,
      groups: Type.Array(Type.Object(place)),
      categories: Type.Array(Type.Object({ ...place, group: Type.String() })),
      products: Type.Array(Product),
    },
    { title: 'Portal catalogue' },
  ),
)

export const ProductParams = Type.Object({
  code: documentedAs(CATALOG_FIELDS.code, Type.String({ description: 'The code of a product' })),
})

export const ProductResponse = dataOf(
  Type.Object({
    ...product,
    ...customised,
    lines: Type.Array(Line, { description: 'At most 500' }),
    options: Type.Array(
      Type.Object({
        field: Type.String(),
        code: Type.String(),
        is_enabled: Type.Boolean(),
        retail_price: orNull(Money),
      }),
      { description: 'Your changes of its options' },
    ),
  }),
)

// ── Requests ──

const field = (rule: { readonly schema: RuleSchema }) =>
  Type.Optional(orNull(documentedAs(rule, Type.String())))
const name = field(CATALOG_FIELDS.name)
const image = field(CATALOG_FIELDS.imageUrl)
const amount = field(CATALOG_FIELDS.amount)
const order = Type.Optional(orNull(documentedAs(CATALOG_FIELDS.displayOrder, Type.Integer())))
const Code = documentedAs(CATALOG_FIELDS.code, Type.String())
const codes = Type.Optional(Type.Array(Code, { maxItems: 2_000, description: 'Codes of those to reset' }))

const OptionName = {
  product: Code,
  field: documentedAs(CATALOG_FIELDS.fieldId, Type.String()),
  code: documentedAs(CATALOG_FIELDS.optionCode, Type.String()),
}

const AdjustmentEdit = Type.Object({
  ...Adjustment.properties,
  value: documentedAs(CATALOG_FIELDS.rate, Type.String({ description: 'At most 4 decimals if fixed' })),
})

export const edits = {
  products: Type.Optional(
    Type.Array(
      Type.Object({
        code: Code,
        enabled: Type.Optional(Type.Boolean()),
        name,
        category: field(CATALOG_FIELDS.code),
        image_url: image,
        display_order: order,
        adjustment: Type.Optional(orNull(AdjustmentEdit)),
        min_amount: amount,
        max_amount: amount,
      }),
      { maxItems: 2_000, description: 'Omitted members stay as they are; null: as in the base' },
    ),
  ),
  options: Type.Optional(
    Type.Array(Type.Object({ ...OptionName, enabled: Type.Optional(Type.Boolean()), retail_price: amount }), {
      maxItems: 1_000,
    }),
  ),
  groups: Type.Optional(
    Type.Array(
      Type.Object({
        code: Code,
        is_own: Type.Boolean(),
        name,
        icon_url: image,
        display_order: order,
      }),
      { maxItems: 500, description: 'Each put in place whole' },
    ),
  ),
  categories: Type.Optional(
    Type.Array(
      Type.Object({
        code: Code,
        is_own: Type.Boolean(),
        group: field(CATALOG_FIELDS.code),
        name,
        icon_url: image,
        display_order: order,
      }),
      { maxItems: 500, description: 'Each put in place whole' },
    ),
  ),
  reset: Type.Optional(
    Type.Object(
      {
        products: codes,
        groups: codes,
        categories: codes,
        options: Type.Optional(Type.Array(Type.Object(OptionName), { maxItems: 1_000 })),
      },
      { description: 'As in the base again' },
    ),
  ),
}

export const EditsBody = Type.Object(edits, { title: 'Catalogue edits' })

/** Limit of a fingerprint, longer than any that the service makes. */
const FINGERPRINT_LENGTH_MAX = 200

export const ApplyBody = Type.Object({
  ...edits,
  fingerprint: Type.Optional(
    Type.String({
      maxLength: FINGERPRINT_LENGTH_MAX,
      description: 'From the preview; refused if something changed since',
    }),
  ),
  accept_loss: Type.Optional(
    Type.Boolean({ description: 'Needed when a product could be sold below cost, and could not before' }),
  ),
})

const Side = Type.Object({ ...product, lines: Type.Array(Line) })

const preview = {
  fingerprint: Type.String(),
  products: Type.Array(Type.Object({ code: Type.String(), before: Side, after: Side }), {
    description: 'Products that change',
  }),
  newly_losing: Type.Array(Type.String(), {
    description: 'Could be sold below cost afterwards, and not before',
  }),
}

export const PreviewResponse = dataOf(Type.Object(preview, { title: 'Catalogue preview' }))
export const ApplyResponse = dataOf(
  Type.Object({ ...preview, is_changed: Type.Boolean(), version: Type.String() }),
)
