import type { IncomingRequest, Operation, OperationOutput } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { refusal } from '../../../http/refusals.ts'
import { isVersionDate } from '../../../lib/dates.ts'
import type { RequestError } from '../../../lib/errors.ts'
import type { Authenticator } from '../../auth/service.ts'
import type { Caller } from '../../auth/types.ts'
import type { Balances } from '../../wallet/balance/balances.service.ts'
import { readPaymentBody } from '../core/body.service.ts'
import { invalidFormat } from '../core/rejections.rules.ts'
import type { ReadRequest } from '../core/request.rules.ts'
import { ConflictResponse, PaymentBody, PaymentResponse, RejectionResponse } from '../core/schemas.ts'
import type { Rejection } from '../core/types.ts'
import { conflictView, paymentView, rejectionView } from '../core/view.ts'
import type { Payments, PayResult } from './service.ts'

export type PaymentOperationsSettings = {
  authenticate: Authenticator
  payments: Payments
  balances: Balances
  now: () => Date
  /** Least window of the duplicate guard; left out: the reseller's own alone. */
  duplicateSecondsMin?: number
}

export function paymentOperations(settings: PaymentOperationsSettings): Operation[] {
  return [
    operation({
      method: 'POST',
      path: '/v2/topup',
      docs: {
        operationId: 'pay',
        summary: 'Pay, or ask for the status of a payment',
        description:
          'The first request with a refid makes the payment; the same request again answers with its status. ' +
          'An answer with a transaction_id is about a payment that exists, whatever the HTTP status.',
        tag: 'Payments',
      },
      schemas: {
        body: PaymentBody,
        responses: { 200: PaymentResponse, 400: RejectionResponse, 409: ConflictResponse },
      },
      authenticate: settings.authenticate('pay'),
      ownBody: 'json',
      ownConfirmation: true,
      async handle({ caller, request, confirm }) {
        if (caller.kind === 'user' && caller.reseller.topupRequiresApiKey) throw apiKeyRequired()
        const read = readPaymentBody(request)
        if (read.kind === 'unreadable') {
          await confirm()
          return turnAway(settings, caller, read, request)
        }
        request.note?.({ refid: read.request.refid })
        const result = await settings.payments.pay({
          caller,
          request: read.request,
          requestId: request.id,
          sender: request.address,
          receivedMs: request.receivedMs,
          deadlineMs: request.deadlineMs,
          duplicateSecondsMin: settings.duplicateSecondsMin,
          isAwaited: request.isAwaited,
        })
        if (result.kind === 'rejected') noteRejection(request, result.rejection)
        else request.note?.({ payment_id: String(result.payment.id) })
        const now = settings.now()
        return withVersion(request, now, render(result, read.request, now))
      },
    }),
  ]
}

async function turnAway(
  { balances, now }: PaymentOperationsSettings,
  caller: Caller,
  { echo, problems }: Extract<ReadRequest, { kind: 'unreadable' }>,
  request: IncomingRequest,
) {
  const balance = await balances.get(caller.reseller.id, request.deadlineMs)
  const at = now()
  const rejection = invalidFormat(problems)
  noteRejection(request, rejection)
  const body = rejectionView(echo, rejection, balance, at)
  return withVersion(request, at, { status: 400, body } as const)
}

function noteRejection(request: IncomingRequest, { code, remarks }: Rejection): void {
  request.note?.({ code: String(code), rejection: remarks })
}

function render(result: PayResult, echo: Parameters<typeof rejectionView>[0], now: Date) {
  switch (result.kind) {
    case 'payment':
      return { status: 200, body: { data: paymentView(result.payment) } } as const
    case 'conflict':
      return { status: 409, body: conflictView(result.payment, result.differences) } as const
    case 'rejected':
      return { status: 400, body: rejectionView(echo, result.rejection, result.balance, now) } as const
  }
}

/** Echoes the requested API version unless it is to be ignored. No release changes anything by version yet. */
function withVersion<Output extends OperationOutput>(request: IncomingRequest, now: Date, output: Output) {
  const version = request.headers['x-api-version']
  return typeof version === 'string' && isVersionDate(version, now)
    ? { ...output, headers: { 'X-API-Version': version } }
    : output
}

function apiKeyRequired(): RequestError {
  return refusal('api_key_required')
}
