import type { Database } from '../../../db/database.ts'
import { oneOf, readFields } from '../../../lib/input/fields.ts'
import { optional } from '../../../lib/input/parameters.ts'
import { shortReason } from '../../../lib/input/records.ts'
import { searchResellers } from '../../accounts/public.sql.ts'
import type { Accounts, NewReseller, ResellerChanges } from '../../accounts/service.ts'
import {
  changeReseller,
  createReseller,
  getReseller,
  updateReseller,
  within,
} from '../../accounts/service.ts'
import type { Reseller, ResellerStatus } from '../../accounts/types.ts'
import { audited, readReason } from '../../audit/service.ts'
import type { AuditLog } from '../../audit/types.ts'
import { changePriceLevel } from '../../catalog/edit/overlays.service.ts'
import { lockCatalog, requireLevel } from '../../catalog/operators.service.ts'
import type { SessionsOptions } from '../../sessions/people/settings.types.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import type { Page } from '../console/pages.rules.ts'
import {
  isPlain,
  mustChange,
  PAGE_RULES,
  pageOf,
  plainText,
  SEARCH,
  unknown,
} from '../console/pages.rules.ts'

/** Dependencies of the operations on accounts. */
export type AccountsContext = {
  readonly database: Database
  readonly accounts: Accounts
  readonly log: AuditLog
  readonly sessions: SessionsOptions
}

export const LIST_RULES = {
  ...PAGE_RULES,
  search: SEARCH,
  status: optional(oneOf<ResellerStatus>(['active', 'suspended']), null),
  priceLevel: optional(plainText(40), null),
}

export type ResellerListQuery = {
  readonly search?: string | undefined
  readonly status?: string | undefined
  readonly price_level?: string | undefined
  readonly limit?: string | undefined
  readonly cursor?: string | undefined
}

export async function listForOperators(
  { database }: AccountsContext,
  query: ResellerListQuery,
): Promise<Page<Reseller>> {
  const asked = readFields(LIST_RULES, { ...query, priceLevel: query.price_level })
  const found = await searchResellers(database, { ...asked, limit: asked.limit + 1 })
  return pageOf(found, asked.limit, ({ account }) => account)
}

export async function getForOperators({ database }: AccountsContext, account: string): Promise<Reseller> {
  if (!isPlain(account)) throw unknown('reseller')
  return getReseller(database, account)
}

export function openReseller(
  context: AccountsContext,
  caller: OperatorCaller,
  input: NewReseller,
  reason: unknown,
): Promise<Reseller> {
  return audited(context.log, { caller, action: 'reseller.create', reason }, async (tx) => {
    await requireLevel(tx, input.priceLevel)
    const reseller = await createReseller(within(tx, context.accounts), input)
    return { target: targetOf(reseller), before: null, after: reseller, result: reseller }
  })
}

export async function editReseller(
  context: AccountsContext,
  caller: OperatorCaller,
  account: string,
  changes: ResellerChanges,
  given: unknown,
): Promise<Reseller> {
  const reason = readReason(given)
  mustChange(changes)
  const { id } = await getForOperators(context, account)
  return audited(context.log, { caller, action: actionOf(changes), reason }, async (tx) => {
    // The catalogue is locked before the directory, in the order that every writer uses, to avoid a deadlock.
    if (changes.priceLevel !== undefined) await lockCatalog(tx)
    const accounts = within(tx, context.accounts)
    // The lock is taken here, so that the logged state before is the state that the change was applied to.
    return changeReseller(accounts, id, async (_, before) => {
      const after = await updateReseller(accounts, id, changes, async (_tx, levelCode) => {
        await changePriceLevel(tx, id, levelCode, shortReason(reason))
      })
      return { target: targetOf(after), before, after, result: after }
    })
  })
}

function actionOf({ status }: ResellerChanges): string {
  if (status === undefined) return 'reseller.update'
  return status === 'suspended' ? 'reseller.suspend' : 'reseller.activate'
}

function targetOf({ account }: Reseller) {
  return { kind: 'reseller', id: account }
}
