import { Type } from 'typebox'
import { documentedAs, parameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { ID } from '../../../lib/input/ids.ts'
import { REPORT_RULES } from '../../deposits/rules.ts'
import { SLIP_TEXT_MAX } from '../../deposits/slips.rules.ts'
import { DEPOSIT_STATES, SLIP_KINDS } from '../../deposits/types.ts'
import { Day, dataOf, Instant, Money, PAGE, pageOf } from '../access/schemas.ts'
import { DEPOSIT_REQUEST_RULES } from './deposit-requests.rules.ts'

const DepositRequest = Type.Object(
  {
    id: Type.String(),
    state: enumOf(DEPOSIT_STATES),
    amount: Money,
    transferred_on: Day,
    bank_reference: Type.String(),
    note: Type.String(),
    slip: Type.Object({ kind: enumOf(SLIP_KINDS), bytes: Type.Integer() }),
    reported_by: Type.String({ description: 'Username' }),
    reported_at: Instant,
    changed_at: Instant,
    refusal: orNull(Type.String(), 'Why it was refused'),
    entry_number: orNull(Type.String(), 'Entry of the statement, once credited'),
    warnings: Type.Array(
      Type.Object({
        code: enumOf(['same_bank_reference']),
        message: Type.String(),
        requests: Type.Array(Type.String(), { description: 'Ids of the other requests' }),
      }),
    ),
  },
  { title: 'Deposit report' },
)

export const DepositRequestBody = Type.Object(
  {
    amount: documentedAs(REPORT_RULES.amount, Type.String({ description: 'Ringgit, as transferred' })),
    transferred_on: documentedAs(
      REPORT_RULES.transferredOn,
      Type.String({ description: 'Day of the transfer, yyyy-MM-dd' }),
    ),
    bank_reference: documentedAs(
      REPORT_RULES.bankReference,
      Type.String({ description: 'The bank’s own, as the slip shows it' }),
    ),
    note: Type.Optional(documentedAs(REPORT_RULES.note, Type.String())),
    slip: Type.String({
      maxLength: SLIP_TEXT_MAX,
      description:
        'The file in base64, at most 2 MB: PNG, JPEG, WebP or PDF. Its kind is read from its content.',
    }),
  },
  { title: 'Report deposit request' },
)

export const DepositRequestsParameters = Type.Object({
  state: parameter(DEPOSIT_REQUEST_RULES.state, 'Requests in this state alone'),
  ...PAGE,
})

export const DepositRequestParams = Type.Object({
  id: documentedAs(ID, Type.String({ description: 'The id of a deposit request' })),
})

export const DepositRequestResponse = dataOf(DepositRequest)
export const DepositRequestsResponse = pageOf(DepositRequest)

export const SlipFile = Type.String({
  contentMediaType: 'application/octet-stream',
  description: 'The file as it was sent; its kind is in the request',
})
