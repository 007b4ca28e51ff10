import type { Authenticate, Operation } from '../../http/operation.ts'
import { operation } from '../../http/operation.ts'
import type { Authenticator } from '../auth/service.ts'
import type { Caller } from '../auth/types.ts'
import { joinRepeated, readQuestion } from './rules.ts'
import { BillParameters, BillRefusal, BillResponse } from './schemas.ts'
import type { Bills } from './service.ts'
import { billView } from './view.ts'

export function billOperations(authenticate: Authenticator, bills: Bills, now: () => Date): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/v2/bill-presentment',
      docs: {
        operationId: 'getBillPresentment',
        summary: 'Show the bill of an account, before it is paid',
        description:
          'Act on data.message: only with "Invalid account no" the customer must not go on to pay. A biller that ' +
          'cannot be reached is a 200 with "Service unavailable. Please try again later".',
        tag: 'Payments',
      },
      schemas: {
        query: BillParameters,
        responses: { 200: BillResponse, 400: BillRefusal },
      },
      authenticate: joining(authenticate('read')),
      async handle({ caller, query, request }) {
        const question = readQuestion(query)
        const { id, priceLevel } = caller.reseller
        const reader = { id, priceLevel, keyProducts: caller.products }
        const result = await bills.present(reader, question, request.deadlineMs)
        const body = billView(question.product, result, now())
        return body.transaction_validity === null ? { status: 400, body } : { status: 200, body }
      },
    }),
  ]
}

/** Runs before the edge judges the query, because this operation reports a wrong parameter in a wrapper of its own. */
function joining(authenticate: Authenticate<Caller>): Authenticate<Caller> {
  return async (request) => {
    const authenticated = await authenticate(request)
    return { ...authenticated, query: joinRepeated(authenticated.query) }
  }
}
