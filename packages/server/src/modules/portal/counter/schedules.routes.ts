import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { refusal } from '../../../http/refusals.ts'
import { LINES_MAX } from '../../payments/batches/types.ts'
import { resumeSchedule, scheduleBatch, stopSchedule } from '../../payments/schedules/acts.ts'
import { SCHEDULE } from '../../payments/schedules/codec.ts'
import { listSchedules } from '../../payments/schedules/service.ts'
import type { Schedule } from '../../payments/schedules/types.ts'
import { ACTIVE_MAX } from '../../payments/schedules/types.ts'
import type { MemberAuthenticator } from '../../sessions/people/types.ts'
import { resellerOf } from '../access/access.service.ts'
import { memberAct } from '../access/acts.service.ts'
import { listOf } from '../access/schemas.ts'
import type { PortalSettings } from '../access/types.ts'
import { blockOf } from '../payments/bulk.service.ts'

const TAG = 'Sell'
const PATH = '/portal/v1/sell/bulk/schedules'
const MIB = 1_024 * 1_024
/** Values of a line in JSON, its object included. */
const VALUES_PER_LINE = 14

/** Operations on the files of payments that the service pays with nobody at the screen. */
export function portalScheduleOperations(settings: PortalSettings): Operation[] {
  const { authenticate, database, log, vault } = settings
  const paying = { authenticate: whereItMayPay(settings), log, world: { vault } }
  const view = (schedule: Schedule) => SCHEDULE.encode(schedule)
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: {
        operationId: 'portalListSchedules',
        summary: 'Scheduled files of payments, newest first',
        tag: TAG,
      },
      schemas: { responses: { 200: listOf(SCHEDULE.schema) } },
      authenticate: authenticate('payments.read'),
      async handle({ caller }) {
        const found = await listSchedules(database, caller.reseller.id)
        return { status: 200, body: { data: found.map(view) } }
      },
    }),
    memberAct(paying, {
      act: scheduleBatch,
      method: 'POST',
      path: PATH,
      permission: 'bulk',
      docs: {
        operationId: 'portalScheduleBatch',
        summary: 'Schedule a file of payments',
        description:
          'The service pays the lines in their order, in the name and within the limits of the member, each at most at ' +
          'its `cost` and at most once a run. It stops, and mails why, at the first line that the balance, a limit, a ' +
          'product or a price stands against; a line that is wrong by itself is left out. Cashiers schedule nothing: ' +
          `what they may spend ends with their day. At most ${ACTIVE_MAX} are active.`,
        tag: TAG,
      },
      body: 'Schedule request',
      isStrict: true,
      bodyLimits: { bytesMax: 2 * MIB, valuesMax: VALUES_PER_LINE * LINES_MAX },
      status: 201,
      answer: SCHEDULE.schema,
      view,
    }),
    memberAct(
      { authenticate, log, world: undefined },
      {
        act: stopSchedule,
        method: 'DELETE',
        path: `${PATH}/:id`,
        permission: 'bulk',
        docs: {
          operationId: 'portalStopSchedule',
          summary: 'Stop a schedule',
          description: 'The line that is being paid then is paid still. What has ended stays as it is.',
          tag: TAG,
        },
        hasBody: false,
        answer: SCHEDULE.schema,
        view,
      },
    ),
    memberAct(paying, {
      act: resumeSchedule,
      method: 'POST',
      path: `${PATH}/:id/resume`,
      permission: 'bulk',
      docs: {
        operationId: 'portalResumeSchedule',
        summary: 'Go on with a schedule that was stopped',
        description:
          'From then on it pays in the name of whoever goes on with it. Lines that were paid are not paid again.',
        tag: TAG,
      },
      body: 'Resume request',
      answer: SCHEDULE.schema,
      view,
    }),
  ]
}

/** Refuses whoever could not pay now, and from here: a schedule is no way around keys and addresses. */
function whereItMayPay(settings: PortalSettings): MemberAuthenticator {
  return (permission) => {
    const authenticate = settings.authenticate(permission)
    return async (request) => {
      const authenticated = await authenticate(request)
      const block = blockOf(resellerOf(settings, authenticated.caller), request.address)
      if (block !== null) throw refusal(block)
      return authenticated
    }
  }
}
