import { Type } from 'typebox'
import { answerFile, fileOf } from '../http/files.ts'
import type { Operation } from '../http/operation.ts'
import { anyone, operation } from '../http/operation.ts'
import type { RefusalGuide } from '../http/refusals.ts'
import { AUTHENTICATION_REFUSALS, TOKEN_REFUSALS } from '../http/refusals.ts'
import { enumOf, orNull } from '../http/schemas.ts'
import { PROBLEMS } from '../http/statuses.ts'
import type { Guidance } from '../lib/guidance.ts'
import { isRetrySafe, RETRIES } from '../lib/guidance.ts'
import { REFUSALS } from '../modules/events/log/replay.rules.ts'
import { ORDER_PROBLEMS } from '../modules/orders/core/problems.rules.ts'
import { listPaymentCodes } from '../modules/payments/core/codes.rules.ts'

const KINDS = ['authentication', 'token', 'payment', 'replay', 'order', 'http'] as const
const OUTCOMES = ['rejected', 'accepted', 'processing', 'succeeded', 'failed', 'voided'] as const

/** Answer that a client may have to handle, with its cause and remedy. Names are those of the wire. */
export type ErrorRow = {
  readonly kind: (typeof KINDS)[number]
  readonly code: number | null
  readonly token: string | null
  readonly http_status: number
  readonly outcome: (typeof OUTCOMES)[number] | null
  readonly message: string | null
  readonly cause: string
  readonly remedy: string
  readonly retry: Guidance['retry']
  readonly retry_safe: boolean
}

const ErrorSchema = Type.Object(
  {
    kind: enumOf(
      KINDS,
      'authentication: `error` of a 401 or 403. token: `error` of the two token operations. payment: ' +
        '`data.statusCode` and `data.remarks`. replay: `error` of an item in a bulk replay. order: `error` of the ' +
        'order operations. http: any other answer of this status',
    ),
    code: orNull(Type.Integer(), '`data.statusCode` of a payment; null elsewhere'),
    token: orNull(
      Type.String(),
      'Stable text to compare: `error`, or `data.remarks` of a payment. Null: there is none, or it is the ' +
        "caller's or the provider's own words",
    ),
    http_status: Type.Integer({ description: 'Status of the answer' }),
    outcome: Type.Union([...OUTCOMES.map((each) => Type.Literal(each)), Type.Null()], {
      description:
        'Payments only. rejected: no payment exists, and the refid is free. All others are about a payment that exists',
    }),
    message: orNull(Type.String(), 'Usual text for people. It may change, and may say more in a case'),
    cause: Type.String(),
    remedy: Type.String({ description: 'The next step' }),
    retry: enumOf(
      RETRIES,
      'never; after_change: after the cause is corrected; later: unchanged after `Retry-After` or a few seconds; ' +
        'ask_first: it is not known whether it was done; new_refid: as a new payment; poll: every 5 to 10 seconds; ' +
        'not_needed: it is done',
    ),
    retry_safe: Type.Boolean({
      description: 'True: a program may send the same request again by itself, with a new nonce',
    }),
  },
  { title: 'ErrorGuide' },
)

const ErrorsResponse = Type.Object({ data: Type.Array(ErrorSchema) }, { title: 'ErrorGuides' })
const NotModified = Type.Null({ description: 'Unchanged since the `ETag` in `If-None-Match`' })

/** Lists every answer with a code, from the tables that the code itself uses. */
export function errorRows(): ErrorRow[] {
  return [
    ...refusalRows('authentication', AUTHENTICATION_REFUSALS),
    ...refusalRows('token', TOKEN_REFUSALS),
    ...listPaymentCodes().map(
      ({ code, remarks, outcome, message, ...guidance }): ErrorRow =>
        row('payment', guidance, {
          code,
          token: remarks,
          http_status: outcome === 'rejected' ? 400 : 200,
          outcome,
          message,
        }),
    ),
    ...Object.values(REFUSALS).map(
      ({ error, status, message, ...guidance }): ErrorRow =>
        row('replay', guidance, { token: error, http_status: status, message }),
    ),
    ...Object.entries(ORDER_PROBLEMS).map(
      ([token, { status, message, ...guidance }]): ErrorRow =>
        row('order', guidance, { token, http_status: status, message }),
    ),
    ...Object.entries(PROBLEMS).map(
      ([status, { message, ...guidance }]): ErrorRow =>
        row('http', guidance, { http_status: Number(status), message }),
    ),
  ]
}

function refusalRows(kind: 'authentication' | 'token', refusals: Readonly<Record<string, RefusalGuide>>) {
  return Object.entries(refusals).map(([token, { status, message, ...guidance }]) =>
    row(kind, guidance, { token, http_status: status, message }),
  )
}

type RowDetails = Pick<ErrorRow, 'http_status' | 'message'> &
  Partial<Pick<ErrorRow, 'code' | 'token' | 'outcome'>>

function row(kind: ErrorRow['kind'], { cause, remedy, retry }: Guidance, details: RowDetails): ErrorRow {
  const { code = null, token = null, http_status, outcome = null, message } = details
  const retry_safe = isRetrySafe(retry)
  return { kind, code, token, http_status, outcome, message, cause, remedy, retry, retry_safe }
}

/**
 * Builds the operation that lists the errors. Anyone may call it: the list is the same for everybody, and a program
 * whose signature is refused needs it most.
 */
export function errorOperations(): Operation[] {
  const file = fileOf(JSON.stringify({ data: errorRows() }), {
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
  })
  return [
    operation({
      method: 'GET',
      path: '/v2/errors',
      docs: {
        operationId: 'listErrors',
        summary: 'Every error code, with its cause and remedy',
        description:
          'The same for every account: keep it with your program, and ask again with `If-None-Match`. `token` and ' +
          '`code` are stable, the other texts may be improved.',
        tag: 'Service',
      },
      schemas: { responses: { 200: ErrorsResponse, 304: NotModified } },
      authenticate: anyone,
      handle: async ({ request }) => answerFile(file, request),
    }),
  ]
}
