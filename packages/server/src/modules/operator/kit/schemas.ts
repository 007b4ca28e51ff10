import type { TProperties, TSchema } from 'typebox'
import { Type } from 'typebox'
import { documentedAs, parameter } from '../../../http/parameters.ts'
import { ID } from '../../../lib/input/ids.ts'
import { ACCOUNT_FIELDS } from '../../accounts/fields.service.ts'
import { REASON_SCHEMA } from '../../audit/service.ts'
import { CATALOG_FIELDS } from '../../catalog/model/fields.service.ts'
import { ROUTE_FIELDS } from '../../providers/connections/operators.service.ts'
import { PAGE_RULES } from './pages.rules.ts'

// Schemas that the operations of the back office share.

export const Reason = documentedAs(
  { schema: REASON_SCHEMA },
  Type.String({ description: 'Why, for the audit log' }),
)

/** Body without unknown members: a misspelt one would change nothing, and the caller would not notice. */
export function bodyOf<P extends TProperties>(title: string, properties: P) {
  return Type.Object(properties, { title, additionalProperties: false })
}

export function dataOf<S extends TSchema>(schema: S, description?: string) {
  return Type.Object({ data: schema }, description === undefined ? {} : { description })
}

export function listOf<S extends TSchema>(schema: S) {
  return Type.Object({
    data: Type.Array(schema),
    cursor: Type.Union([Type.String(), Type.Null()], {
      description: 'For the next page; null: this is the last',
    }),
    has_more: Type.Boolean(),
  })
}

export const Instant = Type.String({ description: 'ISO 8601, UTC' })

/** Id in an address. A text of another form cannot name anything. */
export const Id = documentedAs(ID, Type.String())
export const Account = documentedAs(
  ACCOUNT_FIELDS.account,
  Type.String({ description: "The reseller's account number" }),
)
export const ResellerParameters = Type.Object({ account: Account })

/** When an operator alone may not give access to a reseller. */
export const SECOND_PERSON =
  '202: the reseller has people or money, so another operator, or an admin of the reseller in the portal, has to ' +
  'approve it (403 `session_required` for a token). Nothing is changed until then, and the registered address and the ' +
  'admins of the reseller get a mail with a link that stops it.'

export const ProductCode = documentedAs(CATALOG_FIELDS.code, Type.String())
export const LevelCode = documentedAs(CATALOG_FIELDS.levelCode, Type.String())
export const ProviderCode = documentedAs(ROUTE_FIELDS.provider, Type.String())

/** Row with the names that catalogue files use. */
export const Row = Type.Object({}, { additionalProperties: true })

export const PAGE_PARAMETERS = {
  limit: parameter(PAGE_RULES.limit, 'Items of a page'),
  cursor: parameter(PAGE_RULES.cursor, 'cursor of the page before'),
}
