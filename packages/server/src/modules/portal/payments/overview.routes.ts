import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { PortalSettings } from '../access/types.ts'
import { BalanceResponse, OverviewResponse } from './overview.schemas.ts'
import { readOverview } from './overview.service.ts'
import { overviewView } from './overview.view.ts'

export function overviewOperations(settings: PortalSettings): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/portal/v1/overview',
      docs: { operationId: 'portalGetOverview', summary: 'How the account stands', tag: 'Overview' },
      schemas: { responses: { 200: OverviewResponse } },
      authenticate: settings.authenticate('overview.read'),
      async handle({ caller, request }) {
        const overview = await readOverview(settings, caller, request.deadlineMs)
        return { status: 200, body: { data: overviewView(overview) } }
      },
    }),
  ]
}

export function balanceOperations(settings: PortalSettings): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/portal/v1/balance',
      docs: {
        operationId: 'portalGetBalance',
        summary: 'Show the balance',
        description: 'The part of the overview that every page shows; it costs little.',
        tag: 'Overview',
      },
      schemas: { responses: { 200: BalanceResponse } },
      authenticate: settings.authenticate('balance.read'),
      async handle({ caller, request }) {
        const balance = await settings.balances.get(caller.reseller.id, request.deadlineMs)
        return { status: 200, body: { data: { currency: 'MYR', balance: formatMoney(balance) } } }
      },
    }),
  ]
}
