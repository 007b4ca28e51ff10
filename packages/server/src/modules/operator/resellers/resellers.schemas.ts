import { Type } from 'typebox'
import { bodyOf, dataOf, enumOf, Instant, listOf, PAGE_PARAMETERS, Reason } from '../console/schemas.ts'

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
  search: Type.Optional(
    Type.String({ description: 'The beginning of an account, or a part of a name or an address' }),
  ),
  status: Type.Optional(Type.String({ description: STATUSES.join(', ') })),
  price_level: Type.Optional(Type.String()),
  ...PAGE_PARAMETERS,
})

export const ResellerParameters = Type.Object({ account: Type.String() })

export const ResellerListResponse = listOf(Reseller)
export const ResellerResponse = dataOf(Reseller)

export const NewResellerBody = bodyOf('New reseller request', {
  account: Type.Optional(Type.String({ description: '4 to 20 digits; left out: a free one of 7' })),
  name: Type.String(),
  email: Type.String(),
  price_level: Type.String(),
  access: Type.Optional(Access),
  reason: Reason,
})

export const ResellerBody = bodyOf('Change reseller request', {
  name: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  price_level: Type.Optional(Type.String()),
  access: Type.Optional(Access),
  status: Type.Optional(enumOf(STATUSES, 'suspended: new payments are refused')),
  topup_requires_api_key: Type.Optional(Type.Boolean()),
  reason: Reason,
})
