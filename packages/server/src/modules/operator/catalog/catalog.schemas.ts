import { Type } from 'typebox'
import { BODY_BYTES_MAX } from '../../../http/body.ts'
import { documentedAs, parameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { CATALOG_LANGUAGES } from '../../catalog/texts/rules.ts'
import { FILE_NAME_LENGTH_MAX, FILES_MAX, VERSION } from '../../catalog/transfer/given.rules.ts'
import { DOCUMENT_KINDS } from '../../catalog/transfer/types.ts'
import { FINDING_KINDS } from '../../margins/types.ts'
import { APPROVAL } from '../kit/approvals.codec.ts'
import { bodyOf, dataOf, listOf, PAGE_PARAMETERS, ProductCode, Reason, Row } from '../kit/schemas.ts'
import { DIFFERENCES_MAX, EXPORT_RULES, OPTION_LIST_RULES, PRODUCT_LIST_RULES } from './catalog.rules.ts'

const Counts = Type.Record(Type.String(), Type.Integer(), {
  description: 'By kind: groups, categories, products, options, levels, texts, prices, permissions',
})

export const Summary = Type.Object(
  {
    version: Type.Integer({ description: "The catalogue's after the change; of a preview, as it would be" }),
    created: Counts,
    updated: Counts,
    deactivated: Counts,
    unchanged: Counts,
    accounts_affected: Type.Integer({ description: 'Resellers who see something else than before' }),
    accounts: Type.Array(Type.String(), { description: 'The numbers of the first 100 of them' }),
  },
  { title: 'Catalogue change' },
)

const Difference = Type.Object(
  {
    kind: enumOf(DOCUMENT_KINDS),
    id: Type.String(),
    action: enumOf(['create', 'update', 'deactivate']),
    changes: Type.Array(Type.Object({ name: Type.String(), before: Type.Unknown(), after: Type.Unknown() })),
  },
  { title: 'Catalogue difference' },
)

const Finding = Type.Object(
  {
    kind: enumOf(
      FINDING_KINDS,
      "below_cost: sold for less than the cheapest route charges. price_moved: further than one person may move it. price_drifted: the same of the steps of the last 7 days together. cost_moved: the same of a route's cost, or nobody's cost is known any more",
    ),
    product: Type.String(),
    level: orNull(Type.String(), 'null: about a route, whatever the level'),
    provider: orNull(Type.String()),
    sample: Type.String({ description: 'The option or the amount at which the difference is largest' }),
    before: orNull(Type.String()),
    after: orNull(Type.String()),
    cost: orNull(Type.String(), 'Charge of the cheapest route; null: no route has a cost'),
    loss_last_month: Type.String(),
  },
  { title: 'Finding about a price' },
)

export const Comparison = Type.Object(
  {
    needs_second_person: Type.Boolean({
      description: 'Saving it makes an approval, which another operator decides',
    }),
    loss_last_month: Type.String({
      description: 'Loss that it would have caused on the sales of the last 30 days, in ringgit',
    }),
    findings_total: Type.Integer(),
    findings: Type.Array(Finding, { description: 'The first 100' }),
  },
  { title: 'Prices beside supplier costs' },
)

/** Has a title, because the same operation answers 200 with another body. */
export const AskedResponse = {
  ...dataOf(
    Type.Object({ approval: APPROVAL.schema, comparison: Comparison }),
    'Nothing was changed: a second person has to approve it',
  ),
  title: 'Change that waits for approval',
}

export const ChangeResponse = dataOf(
  Type.Object({
    summary: Summary,
    comparison: Comparison,
    differences: Type.Array(Difference, { description: `At most ${DIFFERENCES_MAX}` }),
    differences_total: Type.Integer(),
  }),
)

const File = Type.Object(
  {
    name: documentedAs(
      { schema: { type: 'string', maxLength: FILE_NAME_LENGTH_MAX } },
      Type.String({
        description: 'Ends in .json or .csv; a CSV file is known by its name or its columns',
      }),
    ),
    content: documentedAs({ schema: { type: 'string', maxLength: BODY_BYTES_MAX } }, Type.String()),
  },
  { title: 'Catalogue file', additionalProperties: false },
)

const given = {
  document: Type.Optional(
    Type.Object(
      {},
      { additionalProperties: true, description: 'One JSON document in the form of catalogue files' },
    ),
  ),
  files: Type.Optional(
    Type.Array(File, { maxItems: FILES_MAX, description: 'Together they are one change' }),
  ),
  deactivate_missing: Type.Optional(
    Type.Boolean({ description: 'Options of the lists named that are not given are switched off' }),
  ),
}

export const PreviewBody = bodyOf('Catalogue preview request', given)

export const ApplyBody = bodyOf('Catalogue import request', {
  ...given,
  expected_version: documentedAs(
    VERSION,
    Type.Integer({ description: 'The `version` of the preview: 409 when the catalogue has changed since' }),
  ),
  reason: Reason,
})

export const CatalogResponse = dataOf(
  Type.Object({
    version: Type.Integer(),
    groups: Type.Array(Row),
    categories: Type.Array(Row),
  }),
)

export const ProductListParameters = Type.Object({
  category: parameter(PRODUCT_LIST_RULES.category, 'Code of a category'),
  search: parameter(PRODUCT_LIST_RULES.search, 'A part of the code or the name'),
  is_active: parameter(PRODUCT_LIST_RULES.isActive, 'Left out: both'),
  ...PAGE_PARAMETERS,
})

const ProductLine = Type.Object(
  {
    code: Type.String(),
    name: Type.String(),
    category: Type.String(),
    kind: Type.String(),
    is_active: Type.Boolean(),
    is_hidden: Type.Boolean(),
    is_restricted: Type.Boolean(),
    is_refundable: Type.Boolean(),
    levels: Type.Integer({ description: 'How many price levels sell it' }),
    options: Type.Integer({ description: 'Number of options' }),
  },
  { title: 'Catalogue product' },
)

export const ProductListResponse = listOf(ProductLine)
export const ProductParameters = Type.Object({ code: ProductCode })

const Price = Type.Object({
  level: Type.String(),
  discount_type: enumOf(['percentage', 'fixed']),
  value: Type.String(),
  currency: Type.String(),
})

const ProductText = Type.Object(
  {
    language: enumOf(CATALOG_LANGUAGES),
    text: Type.String({ description: 'As the catalogue has it' }),
    translation: orNull(Type.String(), 'Your own words, as `texts` of catalogue files have them; null: none'),
    shared: orNull(Type.String(), 'Words that the service knows, where you have none; null: none'),
  },
  { title: 'Catalogue text' },
)

export const ProductResponse = dataOf(
  Type.Object({
    product: Type.Object({}, { additionalProperties: true, description: 'As catalogue files spell it' }),
    prices: Type.Array(Price),
    options: Type.Array(
      Type.Object({ field: Type.String(), total: Type.Integer({ description: 'Number of options' }) }),
      { description: 'Number of options by field' },
    ),
    texts: Type.Array(ProductText, {
      description: 'Texts of the product in each language; the first 100',
    }),
  }),
)

export const OptionListParameters = Type.Object({
  field: parameter(OPTION_LIST_RULES.field, 'Left out: every field'),
  search: parameter(OPTION_LIST_RULES.search, 'A part of the code or the label'),
  ...PAGE_PARAMETERS,
})

export const OptionListResponse = listOf(Row)

export const ExportResponse = Type.Object(
  {},
  { additionalProperties: true, description: 'The whole catalogue, in the form of catalogue files' },
)

export const CsvExportParameters = Type.Object({
  kind: parameter({ ...EXPORT_RULES.kind, isRequired: true }, 'Which kind of rows'),
})
export const CsvExportResponse = Type.String({
  contentMediaType: 'text/csv',
  description: 'All rows of the kind, in the form of catalogue files',
})
