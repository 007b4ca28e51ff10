import { Type } from 'typebox'
import { documentedAs, parameter } from '../../../http/parameters.ts'
import { ACCOUNT_FIELDS } from '../../accounts/fields.service.ts'
import {
  Account,
  bodyOf,
  dataOf,
  enumOf,
  Instant,
  LevelCode,
  listOf,
  PAGE_PARAMETERS,
  Reason,
} from '../console/schemas.ts'
import { LIST_RULES } from './resellers.service.ts'

const STATUSES = ['active', 'suspended'] as const

const Access = Type.Union([Type.Literal(0), Type.Literal(50)], { description: '0: may pay; 50: read only' })

const Reseller = Type.Object(
  {
    account: Type.String(),
    name: Type.String(),
    email: Type.String(),
    price_level: Type.String(),
    access: Access,
    status: enumOf(STATUSES),
    topup_requires_api_key: Type.Boolean({ description: 'Payments with a bearer token are refused' }),
    demo: Type.Boolean(),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Reseller' },
)

export const ResellerListParameters = Type.Object({
  search: parameter(LIST_RULES.search, 'The beginning of an account, or a part of a name or an address'),
  status: parameter(LIST_RULES.status, 'Accounts in this state alone'),
  price_level: parameter(LIST_RULES.priceLevel, 'Accounts at this level alone'),
  ...PAGE_PARAMETERS,
})

/** When an operator alone may not give access to a reseller. */
export const SECOND_PERSON =
  '202: the reseller has people or money, so another operator, or an admin of the reseller in the portal, has to ' +
  'approve it (403 `session_required` for a token). Nothing is changed until then, and the registered address and the ' +
  'admins of the reseller get a mail with a link that stops it.'

export const ResellerParameters = Type.Object({ account: Account })

export const ResellerListResponse = listOf(Reseller)
export const ResellerResponse = dataOf(Reseller)

const Name = documentedAs(ACCOUNT_FIELDS.resellerName, Type.String())
const Email = documentedAs(ACCOUNT_FIELDS.email, Type.String())

export const NewResellerBody = bodyOf('New reseller request', {
  account: Type.Optional(
    documentedAs(ACCOUNT_FIELDS.account, Type.String({ description: 'Left out: a free one of 7 digits' })),
  ),
  name: Name,
  email: Email,
  price_level: LevelCode,
  access: Type.Optional(Access),
  reason: Reason,
})

export const ResellerBody = bodyOf('Change reseller request', {
  name: Type.Optional(Name),
  email: Type.Optional(Email),
  price_level: Type.Optional(LevelCode),
  access: Type.Optional(Access),
  status: Type.Optional(enumOf(STATUSES, 'suspended: new payments are refused')),
  topup_requires_api_key: Type.Optional(Type.Boolean()),
  reason: Reason,
})
