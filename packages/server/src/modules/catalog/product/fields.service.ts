import { MONEY_SCHEMA } from '../../../lib/money.ts'
import { RATE_SCHEMA } from '../../../lib/rates.ts'
import {
  CODE,
  CURRENCY,
  FIELD_ID,
  LEVEL_CODE,
  NAME_LENGTH_MAX,
  OPTION_CODE,
  ORDER_MAX,
  URL_LENGTH_MAX,
} from './problems.rules.ts'

const formed = ({ form }: { readonly form: RegExp }) => ({ schema: { type: 'string', pattern: form.source } })

/** Schemas of catalogue fields, for the API documents of the modules that take them. */
export const CATALOG_FIELDS = {
  code: formed(CODE),
  optionCode: formed(OPTION_CODE),
  fieldId: formed(FIELD_ID),
  levelCode: formed(LEVEL_CODE),
  currency: formed(CURRENCY),
  name: { schema: { type: 'string', minLength: 1, maxLength: NAME_LENGTH_MAX } },
  imageUrl: { schema: { type: 'string', maxLength: URL_LENGTH_MAX } },
  displayOrder: { schema: { type: 'integer', minimum: 0, maximum: ORDER_MAX } },
  amount: { schema: MONEY_SCHEMA },
  rate: { schema: RATE_SCHEMA },
} as const
