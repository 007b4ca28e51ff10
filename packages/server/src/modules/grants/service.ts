import type { Queryable, Tx } from '../../db/database.ts'
import type { InputCodec } from '../../http/codec.ts'
import { assert } from '../../lib/errors.ts'
import { generatePassword } from '../../lib/secrets/passwords.ts'
import { lockUsers } from '../accounts/public.sql.ts'
import type { Accounts } from '../accounts/service.ts'
import { getReseller, listUsers, within } from '../accounts/service.ts'
import type { Reseller } from '../accounts/types.ts'
import type { ApprovalForm, By, Ran, Texts } from '../acts/types.ts'
import type { Done } from '../audit/types.ts'
import { accountsOf } from '../sessions/passwords/passwords.service.ts'
import { holdSession, isSignedIn } from '../sessions/people/proof.service.ts'
import { balanceUnderLock } from '../wallet/balance/service.ts'
import { listWatchers, mailAsked, mailDone } from './notices.service.ts'
import { requireSessionToGrant } from './rules.ts'
import type { Grant, GrantKind, GrantWorld } from './types.ts'

type GrantBy = By<GrantWorld>

/** Accounts, with every write joining the transaction of the act. */
export function accountsIn(tx: Tx, { world }: Pick<GrantBy, 'world'>): Accounts {
  return within(tx, accountsOf(world.sessions))
}

export type Granting<T> = {
  readonly grant: Grant
  readonly work: () => Promise<Done<T>>
  /** Tells whether another operator could approve it; read before the work. Needed for grants to operators. */
  readonly hasSecondAdmin?: boolean
  /** Throws when a request to a second person could not carry the whole change. */
  readonly mayAsk?: () => void
}

/**
 * Carries out a change that gives somebody access, as far as the consent goes, and tells those who watch. One operator
 * alone gives access only to a reseller that has neither people nor money, and lets operators in only while there is no
 * second admin. The request comes after the work, so that every fault is found before a second person looks at it.
 */
export async function granted<T>(
  tx: Tx,
  by: GrantBy,
  { grant, work, hasSecondAdmin, mayAsk }: Granting<T>,
): Promise<Ran<T>> {
  const { caller, consent, world } = by
  // Read before the change, so that nobody who gains by it is among them.
  const watchers = await listWatchers(tx, grant.company, world)
  if (consent.kind === 'approved') {
    const done = await work()
    const { id, requestedBy, approvedBy } = consent.approval
    await mailDone(world, tx, id, { grant, by: requestedBy.email, approvedBy }, watchers)
    return done
  }
  const isOperator = caller.kind === 'operator'
  const { result: done, isGuarded } =
    grant.company === null
      ? { result: await work(), isGuarded: hasSecondAdmin ?? true }
      : await underGuard(tx, grant.company, isOperator ? grant.command.username : undefined, work)
  if (isGuarded && isOperator) {
    requireSessionToGrant(caller)
    mayAsk?.()
    return { ask: { shown: grant.command, view: undefined } }
  }
  const own = grant.command.email?.toLowerCase()
  const isToldOf = (address: string) => isGuarded || (own !== undefined && address.toLowerCase() !== own)
  const news = { grant, by: makerName(by), approvedBy: null }
  await mailDone(world, tx, null, news, watchers.filter(isToldOf))
  return done
}

/** Tells what a person at the machine gives. In the other faces it needs no consent, and nobody is told. */
export function grantedAtMachine<T>(tx: Tx, by: GrantBy, granting: Granting<T>): Promise<Ran<T>> {
  return by.caller.kind === 'command' ? granted(tx, by, granting) : granting.work()
}

/**
 * Does the work, and tells whether the reseller had people before it, beside the one that it is about, or has money.
 * People without rights count: one operator alone takes rights away, and could otherwise give them to somebody else
 * next. Users and wallet stay as they are judged until the commit. The wallet is locked last and shortly, because
 * payments wait for it.
 */
async function underGuard<T>(
  tx: Tx,
  { id }: Pick<Reseller, 'id'>,
  about: string | null | undefined,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly isGuarded: boolean }> {
  await lockUsers(tx)
  const hasOthers = (await listUsers(tx, id)).some(({ username }) => username !== about)
  const result = await work()
  return { result, isGuarded: hasOthers || (await balanceUnderLock(tx, id)) > 0n }
}

/** Person who gives it: the operator who asked, or the one at the machine. */
export function makerName({ caller, consent }: GrantBy): string {
  if (consent.kind === 'approved') return consent.approval.requestedBy.email
  if (caller.kind === 'operator') return caller.email
  return caller.kind === 'member' ? caller.username : `${caller.name}, at the machine`
}

/**
 * Chooses the first or next password. Nobody knows one that the back office makes: the person gets a letter with a link.
 * One that is made at the machine is shown there, once.
 */
export function choosePassword({ caller }: GrantBy, given: string | undefined) {
  const password = given ?? generatePassword()
  return { password, shown: given === undefined && caller.kind === 'command' ? password : undefined }
}

/** Form of a request for access. Those who watch are told of it, with links that stop it. */
export function approvalOf<Input>(
  kind: GrantKind,
  input: InputCodec<Input>,
  form: Pick<ApprovalForm<GrantWorld, Input>, 'target' | 'write'>,
): ApprovalForm<GrantWorld, Input> {
  return {
    kind,
    ...form,
    read: (command) => input.read(valuesOf(command)),
    resellerId: async (database, input) => (await companyOf(database, form.write(input)))?.id,
    async alongside(tx, { id, command }, _, { caller, world, reason }) {
      assert(isSignedIn(caller), 'a person who is signed in asks for access')
      await holdSession(world.sessions, tx, caller)
      const grant = { kind, command, company: await companyOf(tx, command) }
      await mailAsked(world, tx, id, { grant, by: caller.email, reason })
    },
  }
}

async function companyOf(connection: Queryable, { account }: Texts): Promise<Reseller | null> {
  return account ? getReseller(connection, account) : null
}

/** Values of a stored request, without those that were not given. It names an operator by `operator`. */
function valuesOf(command: Texts): Readonly<Record<string, unknown>> {
  const given = Object.entries(command).filter(([, value]) => value !== null)
  return { ...Object.fromEntries(given), id: command.operator }
}
