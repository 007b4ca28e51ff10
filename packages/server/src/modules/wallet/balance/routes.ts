import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { Authenticator } from '../../auth/service.ts'
import type { Balances } from './balances.service.ts'
import { BalanceResponse } from './schemas.ts'
import { balanceView } from './view.ts'

export function walletOperations(authenticate: Authenticator, balances: Balances): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/v2/balance',
      docs: { operationId: 'getBalance', summary: 'Wallet balance', tag: 'Wallet' },
      schemas: { responses: { 200: BalanceResponse } },
      authenticate: authenticate('read'),
      async handle({ caller, request }) {
        const balance = await balances.get(caller.reseller.id, request.deadlineMs)
        return { status: 200, body: balanceView(caller.reseller, balance) }
      },
    }),
  ]
}
