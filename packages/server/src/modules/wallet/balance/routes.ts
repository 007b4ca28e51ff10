import { Type } from 'typebox'
import { resource } from '../../../http/codec.ts'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { Amount } from '../../../lib/money.ts'
import { moneyToNumber } from '../../../lib/money.ts'
import type { DirectoryReseller } from '../../accounts/types.ts'
import type { Authenticator } from '../../auth/service.ts'
import type { Balances } from './balances.service.ts'

/** Access code of an account that cannot pay. A suspended account gets the same code. */
const READ_ONLY = 50

const BALANCE = resource<DirectoryReseller, Amount>()('Balance', {
  account: [Type.String({ description: "The reseller's account number" }), ({ account }) => account],
  name: [Type.String({ description: 'Name of the reseller' }), ({ name }) => name],
  balance: [
    Type.Number({ description: 'Wallet balance in MYR; pending payments are already taken off' }),
    (_reseller, balance) => moneyToNumber(balance),
  ],
  level: [Type.String({ description: "The reseller's price list" }), ({ priceLevel }) => priceLevel],
  access: [
    Type.Union([Type.Literal(0), Type.Literal(50)], { description: '0: may pay. 50: read only.' }),
    ({ status, access }) => (status === 'active' ? access : READ_ONLY),
  ],
})

export function walletOperations(authenticate: Authenticator, balances: Balances): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/v2/balance',
      docs: { operationId: 'getBalance', summary: 'Wallet balance', tag: 'Wallet' },
      schemas: { responses: { 200: Type.Object({ data: BALANCE.schema }) } },
      authenticate: authenticate('read'),
      async handle({ caller, request }) {
        const balance = await balances.get(caller.reseller.id, request.deadlineMs)
        return { status: 200, body: { data: BALANCE.encode(caller.reseller, balance) } }
      },
    }),
  ]
}
