import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { PortalSettings } from '../access/types.ts'
import { ChecklistResponse } from './checklist.schemas.ts'
import { readChecklist } from './checklist.service.ts'

export function portalChecklistOperations(settings: PortalSettings): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/portal/v1/checklist',
      docs: {
        operationId: 'portalGetChecklist',
        summary: 'How far the account is with getting started',
        description:
          'Each step ticks itself from what really happened: a signed request that was answered well, a push that a ' +
          'receiver answered with 2xx, a payment. `second_factor` is your own. `go_live` is the first payment in ' +
          'production.',
        tag: 'Overview',
      },
      schemas: { responses: { 200: ChecklistResponse } },
      authenticate: settings.authenticate('developers.read'),
      async handle({ caller }) {
        const { steps, isDone } = await readChecklist(settings, caller)
        const data = {
          done: isDone,
          steps: steps.map(({ code, page, doneAt }) => ({
            code,
            done_at: doneAt?.toISOString() ?? null,
            page,
          })),
        }
        return { status: 200, body: { data } }
      },
    }),
  ]
}
