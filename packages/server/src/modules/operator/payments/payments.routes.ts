import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { listStuckPayments } from '../../payments/support/support.service.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { operatorAct } from '../kit/acts.service.ts'
import { pageView } from '../kit/pages.rules.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import type { MoneyContext } from '../kit/types.ts'
import { resolvePayment } from './acts.ts'
import {
  FOUND_PAYMENT,
  PAYMENT_PAGE,
  PAYMENT_REPORT,
  PaymentListResponse,
  PaymentPageResponse,
  PaymentParameters,
  PaymentSearchParameters,
  ResolutionRequestedResponse,
  STUCK_PAYMENT,
  StuckListParameters,
  StuckListResponse,
} from './payments.codec.ts'
import { STUCK_RULES } from './payments.rules.ts'
import { getPageForOperators, searchForOperators } from './payments.service.ts'

const TAG = 'Payments'
const PATH = '/operator/v1/payments'

export function operatorPaymentOperations(
  authenticate: OperatorAuthenticator,
  context: MoneyContext,
): Operation[] {
  const stage = { authenticate, log: context.log, approvals: context.approvals, world: context }
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: { operationId: 'searchPayments', summary: 'Payments of all resellers, newest first', tag: TAG },
      schemas: {
        query: PaymentSearchParameters,
        responses: { 200: PaymentListResponse },
      },
      authenticate: authenticate(...rolesFor('payments.read')),
      async handle({ query }) {
        return {
          status: 200,
          body: pageView(await searchForOperators(context, query), (found) => FOUND_PAYMENT.encode(found)),
        }
      },
    }),
    operation({
      method: 'GET',
      path: '/operator/v1/stuck-payments',
      docs: {
        operationId: 'listStuckPayments',
        summary: 'Payments past their due time, longest overdue first',
        tag: TAG,
      },
      schemas: {
        query: StuckListParameters,
        responses: { 200: StuckListResponse },
      },
      authenticate: authenticate(...rolesFor('payments.read')),
      async handle({ query }) {
        const stuck = await listStuckPayments(context.database, readFields(STUCK_RULES, query))
        return {
          status: 200,
          body: { data: stuck.map((each) => STUCK_PAYMENT.encode(each)), cursor: null, has_more: false },
        }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/:id`,
      docs: {
        operationId: 'getPayment',
        summary: 'A payment and everything about it',
        description: 'Its timeline, callbacks and cases. PIN, link and identity number are masked.',
        tag: TAG,
      },
      schemas: {
        params: PaymentParameters,
        responses: { 200: PaymentPageResponse },
      },
      authenticate: authenticate(...rolesFor('payments.read')),
      async handle({ caller, params }) {
        const page = await getPageForOperators(context, caller, params.id)
        return { status: 200, body: { data: PAYMENT_PAGE.encode(page) } }
      },
    }),
    operatorAct(stage, {
      act: resolvePayment,
      method: 'POST',
      path: `${PATH}/:id/resolve`,
      pathNames: { id: 'payment_id' },
      permission: 'payments.resolve',
      docs: {
        operationId: 'resolvePayment',
        summary: 'End a payment that is past its due time',
        description:
          'The evidence is on the timeline. A failure gives the money back. If the provider contradicts it later, an ' +
          'alert is raised and no money moves: be certain. Above a set cost, or above set sums of ' +
          'what one operator decided alone, and of what was decided so for one reseller, a second operator has to approve it.',
        tag: TAG,
      },
      body: 'Resolve payment request',
      without: ['reference'],
      answer: PAYMENT_REPORT.schema,
      asked: ResolutionRequestedResponse,
      also: [409],
      view: PAYMENT_REPORT.encode,
      onDone: context.onCommitted,
    }),
  ]
}
