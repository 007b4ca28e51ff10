import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { walletEntryView } from '../../wallet/statement/entries.view.ts'
import { ApprovalResponse } from '../console/approvals.schemas.ts'
import { approvalView } from '../console/approvals.view.ts'
import { pageView } from '../console/pages.rules.ts'
import { rolesFor } from '../console/roles.rules.ts'
import type { MoneyContext } from '../console/types.ts'
import type { PostingKind } from './money.rules.ts'
import {
  AdjustmentBody,
  DepositBody,
  EntryListParameters,
  EntryListResponse,
  WalletParameters,
  WalletResponse,
} from './money.schemas.ts'
import { getWallet, listWalletEntries, requestPosting } from './money.service.ts'
import { walletView } from './money.view.ts'

const TAG = 'Money'

export function operatorMoneyOperations(
  authenticate: OperatorAuthenticator,
  context: MoneyContext,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/operator/v1/wallets/:account',
      docs: { operationId: 'getWallet', summary: 'Show the balance of a reseller’s wallet', tag: TAG },
      schemas: {
        params: WalletParameters,
        responses: { 200: WalletResponse },
      },
      authenticate: authenticate(...rolesFor('money.read')),
      async handle({ params }) {
        const wallet = await getWallet(context.database, params.account, context.nowMs())
        return { status: 200, body: { data: walletView(wallet) } }
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
        query: EntryListParameters,
        responses: { 200: EntryListResponse },
      },
      authenticate: authenticate(...rolesFor('money.read')),
      async handle({ params, query }) {
        const entries = await listWalletEntries(context.database, params.account, query, context.nowMs())
        return { status: 200, body: pageView(entries, walletEntryView) }
      },
    }),
    postingOperation(authenticate, context, 'deposit'),
    postingOperation(authenticate, context, 'adjustment'),
  ]
}

const POSTINGS = {
  deposit: {
    path: '/operator/v1/deposits',
    body: DepositBody,
    operationId: 'requestDeposit',
    summary: 'Ask for money received at the bank to be put into a wallet',
  },
  adjustment: {
    path: '/operator/v1/adjustments',
    body: AdjustmentBody,
    operationId: 'requestAdjustment',
    summary: 'Ask for a wallet to be corrected, in either direction',
  },
} as const

function postingOperation(
  authenticate: OperatorAuthenticator,
  context: MoneyContext,
  kind: PostingKind,
): Operation {
  const { path, body, ...docs } = POSTINGS[kind]
  return operation({
    method: 'POST',
    path,
    docs: {
      ...docs,
      description: 'Nothing moves until another operator approves it; see `/operator/v1/approvals`.',
      tag: TAG,
    },
    schemas: {
      body,
      responses: { 202: ApprovalResponse },
    },
    authenticate: authenticate(...rolesFor('money.write')),
    async handle({ caller, body: { reason, ...input } }) {
      const approval = await requestPosting(context, caller, kind, input, reason)
      return { status: 202, body: { data: approvalView(approval) } }
    },
  })
}
