import type { Database, Tx } from '../../../db/database.ts'
import { invalidFields } from '../../../lib/errors.ts'
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
import type { Approvals } from '../../approvals/types.ts'
import { audited, readReason } from '../../audit/service.ts'
import type { AuditLog } from '../../audit/types.ts'
import { changePriceLevel } from '../../catalog/edit/overlays.service.ts'
import { lockCatalog, requireLevel } from '../../catalog/operators.service.ts'
import { SecondPersonNeeded, underGuard } from '../../grants/guard.service.ts'
import { listWatchers, mailDone } from '../../grants/notices.service.ts'
import { grantOrAsk } from '../../grants/service.ts'
import type { Granted } from '../../grants/types.ts'
import { holdProof } from '../../sessions/people/acts.service.ts'
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
  readonly approvals: Approvals
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

/**
 * Changes a reseller. Another registered address decides who is warned of access that is given out, so it needs a second
 * person as that access does.
 */
export async function editReseller(
  context: AccountsContext,
  caller: OperatorCaller,
  account: string,
  changes: ResellerChanges,
  given: unknown,
): Promise<Granted<Reseller>> {
  const reason = readReason(given)
  mustChange(changes)
  const reseller = await getForOperators(context, account)
  const { email } = changes
  return grantOrAsk(context, caller, {
    reason,
    work: () => updateAlone(context, caller, reseller, changes, reason),
    grantOf: () => {
      mustBeAlone(changes)
      const command = { account, from: reseller.email, email: email ?? null }
      return { kind: 'reseller_email', target: targetOf(reseller), command, company: reseller }
    },
  })
}

function updateAlone(
  context: AccountsContext,
  caller: OperatorCaller,
  { id }: Reseller,
  changes: ResellerChanges,
  reason: string,
): Promise<Reseller> {
  return audited(context.log, { caller, action: actionOf(changes), reason }, async (tx) => {
    if (widensAccess(changes)) await holdProof(tx, caller)
    // The catalogue is locked before the directory, in the order that every writer uses, to avoid a deadlock.
    if (changes.priceLevel !== undefined) await lockCatalog(tx)
    const accounts = within(tx, context.accounts)
    // The lock is taken here, so that the logged state before is the state that the change was applied to.
    return changeReseller(accounts, id, async (_, before) => {
      const work = () =>
        updateReseller(accounts, id, changes, async (_tx, levelCode) => {
          await changePriceLevel(tx, id, levelCode, shortReason(reason))
        })
      const after =
        changes.email === undefined ? await work() : await readdress(context, tx, before, caller, work)
      return { target: targetOf(after), before, after, result: after }
    })
  })
}

/** Gives an account without people and without money another registered address, and tells the former one. */
async function readdress(
  context: AccountsContext,
  tx: Tx,
  before: Reseller,
  { email: by }: OperatorCaller,
  work: () => Promise<Reseller>,
): Promise<Reseller> {
  const recipients = await listWatchers(tx, before, context)
  const { result: after, isGuarded } = await underGuard(tx, { resellerId: before.id }, work)
  if (after.email === before.email) return after
  if (isGuarded) throw new SecondPersonNeeded()
  const command = { from: before.email, email: after.email }
  const grant = { kind: 'reseller_email', command, company: before } as const
  await mailDone(context, tx, null, { grant, by, approvedBy: null }, recipients)
  return after
}

function mustBeAlone(changes: ResellerChanges): void {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  if (given.length === 1) return
  throw invalidFields({
    email: ['needs a second person: change it in a request of its own. Nothing was changed'],
  })
}

/**
 * Tells whether the changes let somebody do more: get the account's mail, pay, or pay without a key. Prices, names and
 * restrictions let nobody in.
 */
function widensAccess({ email, access, status, topupRequiresApiKey }: ResellerChanges): boolean {
  return email !== undefined || access === 0 || status === 'active' || topupRequiresApiKey === false
}

function actionOf({ status }: ResellerChanges): string {
  if (status === undefined) return 'reseller.update'
  return status === 'suspended' ? 'reseller.suspend' : 'reseller.activate'
}

function targetOf({ account }: Reseller) {
  return { kind: 'reseller', id: account }
}
