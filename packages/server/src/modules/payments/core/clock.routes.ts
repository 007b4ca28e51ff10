import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { MessageErrors } from '../../../http/schemas.ts'
import type { Authenticator } from '../../auth/service.ts'
import { readAdvance } from './clock.rules.ts'
import { AdvanceQuery } from './clock.schemas.ts'
import type { TestClocks } from './clock.service.ts'
import { TestClockResponse } from './schemas.ts'

const PATH = '/v2/test-clock'
const TAG = 'Staging'
const RESPONSES = {
  200: TestClockResponse,
  404: { ...MessageErrors, description: 'Production has no test clock' },
}

/** Lists the operations of the test clock. Staging alone offers them. */
export function clockOperations(authenticate: Authenticator, clocks: TestClocks): Operation[] {
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: {
        operationId: 'getTestClock',
        summary: "How far this account's test clock was moved",
        description: 'Staging only.',
        tag: TAG,
      },
      schemas: { responses: RESPONSES },
      authenticate: authenticate('read'),
      async handle({ caller }) {
        return { status: 200, body: clockView(await clocks.find(caller.reseller.id)) }
      },
    }),
    operation({
      method: 'POST',
      path: PATH,
      docs: {
        operationId: 'advanceTestClock',
        summary: "Move this account's test clock forward",
        description:
          'Staging only. Due times, retries and expiries of the account come nearer, such as ' +
          'the end of a payment to 60123451300, which takes 300 seconds. Signatures and the times in the ledger ' +
          'do not move, nor do other accounts.',
        tag: TAG,
      },
      schemas: { query: AdvanceQuery, responses: RESPONSES },
      authenticate: authenticate('configure'),
      async handle({ caller, query }) {
        const seconds = readAdvance(query)
        return { status: 200, body: clockView(await clocks.advance(caller.reseller.id, seconds)) }
      },
    }),
  ]
}

function clockView(advancedSeconds: number) {
  return { data: { advanced_seconds: advancedSeconds } }
}
