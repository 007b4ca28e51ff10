import { Type } from 'typebox'
import { resource } from '../../../http/codec.ts'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { parameter } from '../../../http/parameters.ts'
import { orNull } from '../../../http/schemas.ts'
import { formatMoney } from '../../../lib/money.ts'
import { postAdjustment, postDeposit } from '../../wallet/acts.ts'
import { walletEntry } from '../../wallet/statement/entries.codec.ts'
import type { OperatorStage } from '../kit/acts.service.ts'
import { operatorAct } from '../kit/acts.service.ts'
import { ApprovalResponse } from '../kit/approvals.codec.ts'
import { pageView } from '../kit/pages.rules.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import { Account, dataOf, Instant, listOf, PAGE_PARAMETERS } from '../kit/schemas.ts'
import type { MoneyContext } from '../kit/types.ts'
import type { WalletNow } from './money.service.ts'
import { ENTRY_DAYS_MAX, ENTRY_RULES, getWallet, listWalletEntries } from './money.service.ts'

const TAG = 'Money'
const MICROS_PER_MS = 1_000n

const WalletParameters = Type.Object({ account: Account })

const WALLET = resource<WalletNow>()('Wallet', {
  account: [Type.String(), ({ account }) => account],
  name: [Type.String(), ({ name }) => name],
  balance: [Type.String({ description: 'Ringgit' }), ({ balance }) => formatMoney(balance)],
  entry_count: [Type.String(), ({ sequence }) => String(sequence)],
  last_entry_at: [
    orNull(Instant),
    ({ atMicros }) =>
      atMicros === undefined ? null : new Date(Number(atMicros / MICROS_PER_MS)).toISOString(),
  ],
})

const ENTRY = walletEntry('Wallet entry', {
  amount: Type.String({ description: 'Ringgit' }),
  balance: Type.String({ description: 'Ringgit, after it' }),
  refid: 'The reseller’s reference of the payment; null: the entry has none',
})

const ASKED = {
  method: 'POST',
  permission: 'money.write',
  asked: ApprovalResponse,
} as const
const NOTHING_MOVES = 'Nothing moves until another operator approves it; see `/operator/v1/approvals`.'

export function operatorMoneyOperations(
  stage: OperatorStage<unknown>,
  context: Pick<MoneyContext, 'database' | 'nowMs'>,
): Operation[] {
  const { authenticate } = stage
  return [
    operation({
      method: 'GET',
      path: '/operator/v1/wallets/:account',
      docs: { operationId: 'getWallet', summary: 'Show the balance of a reseller’s wallet', tag: TAG },
      schemas: { params: WalletParameters, responses: { 200: dataOf(WALLET.schema) } },
      authenticate: authenticate(...rolesFor('money.read')),
      async handle({ params }) {
        const wallet = await getWallet(context.database, params.account, context.nowMs())
        return { status: 200, body: { data: WALLET.encode(wallet) } }
      },
    }),
    operation({
      method: 'GET',
      path: '/operator/v1/wallets/:account/entries',
      docs: {
        operationId: 'listWalletEntries',
        summary: 'List the entries of a wallet, newest first',
        tag: TAG,
      },
      schemas: {
        params: WalletParameters,
        query: Type.Object({
          type: parameter(ENTRY_RULES.type, 'Left out: all'),
          days: parameter(
            ENTRY_RULES.days,
            `A day yyyy-MM-dd (GMT+8) or a range yyyy-MM-dd - yyyy-MM-dd of at most ${ENTRY_DAYS_MAX} days; the last 31 when left out`,
          ),
          ...PAGE_PARAMETERS,
        }),
        responses: { 200: listOf(ENTRY.schema) },
      },
      authenticate: authenticate(...rolesFor('money.read')),
      async handle({ params, query }) {
        const entries = await listWalletEntries(context.database, params.account, query, context.nowMs())
        return { status: 200, body: pageView(entries, (entry) => ENTRY.encode(entry)) }
      },
    }),
    operatorAct(stage, {
      ...ASKED,
      act: postDeposit,
      path: '/operator/v1/deposits',
      docs: {
        operationId: 'requestDeposit',
        summary: 'Ask for money received at the bank to be put into a wallet',
        description: NOTHING_MOVES,
        tag: TAG,
      },
      body: 'Deposit request',
    }),
    operatorAct(stage, {
      ...ASKED,
      act: postAdjustment,
      path: '/operator/v1/adjustments',
      docs: {
        operationId: 'requestAdjustment',
        summary: 'Ask for a wallet to be corrected, in either direction',
        description: NOTHING_MOVES,
        tag: TAG,
      },
      body: 'Adjustment',
    }),
  ]
}
