import { Type } from 'typebox'
import { documentedAs, parameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { DEPOSIT_STATES, SLIP_KINDS } from '../../deposits/types.ts'
import { bodyOf, dataOf, Id, Instant, listOf, PAGE_PARAMETERS, Reason } from '../console/schemas.ts'
import { ACCEPT_RULES, DEPOSIT_LIST_RULES } from './deposit-requests.rules.ts'

const DepositRequest = Type.Object(
  {
    id: Type.String(),
    state: enumOf(DEPOSIT_STATES, 'accepted: a second operator has not decided yet; credited: in the wallet'),
    reseller: Type.Object({ account: Type.String(), name: Type.String() }),
    amount: Type.String({ description: 'Ringgit' }),
    transferred_on: Type.String({ description: 'yyyy-MM-dd' }),
    bank_reference: Type.String(),
    note: Type.String(),
    slip: Type.Object({ kind: enumOf(SLIP_KINDS), bytes: Type.Integer() }),
    reported_by: Type.String({ description: "The member's username" }),
    reported_at: Instant,
    changed_at: Instant,
    decided_by: orNull(Type.String(), 'Operator who accepted or refused it'),
    approval_id: orNull(Type.String(), 'Change that a second operator has to approve'),
    refusal: orNull(Type.String(), 'Why it was refused; the reseller sees it'),
    entry_number: orNull(Type.String(), "The wallet's entry, once credited"),
    same_reference: Type.Array(Type.Object({ id: Type.String(), account: Type.String() }), {
      description: 'Other requests with the same reference of the bank that are open or credited: look twice',
    }),
  },
  { title: 'Reported deposit' },
)

export const DepositRequestListParameters = Type.Object({
  state: parameter(DEPOSIT_LIST_RULES.state, 'Requests in this state alone'),
  account: parameter(DEPOSIT_LIST_RULES.account, 'Requests of this reseller alone'),
  ...PAGE_PARAMETERS,
})

export const DepositRequestParameters = Type.Object({ id: Id })
export const DepositRequestListResponse = listOf(DepositRequest)
export const DepositRequestResponse = dataOf(DepositRequest)

export const AcceptBody = bodyOf('Accept deposit request', {
  reference: Type.Optional(
    documentedAs(
      ACCEPT_RULES.reference,
      Type.String({
        description: 'Reference of the entry; the bank’s reference when left out. Never posted twice',
      }),
    ),
  ),
  remarks: Type.Optional(
    documentedAs(
      ACCEPT_RULES.remarks,
      Type.String({ description: "Shown in the reseller's statement; the bank's reference when left out" }),
    ),
  ),
  reason: Reason,
})

export const SlipFile = Type.String({
  contentMediaType: 'application/octet-stream',
  description: 'The file as it was sent; its kind is in the request',
})
