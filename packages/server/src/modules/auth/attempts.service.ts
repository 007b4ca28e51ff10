import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Queryable, Tx } from '../../db/database.ts'
import { joined } from '../../db/joined.ts'
import type { Budget } from '../../http/intake/budget.ts'
import { createBudget } from '../../http/intake/budget.ts'
import { networkOf } from '../../lib/addresses.ts'
import { RequestError } from '../../lib/errors.ts'
import type { Asker } from '../../lib/secrets/hash-turns.ts'
import { personOf, strangerAt } from '../../lib/secrets/hash-turns.ts'
import type { Guess, LockoutScope } from './attempts.rules.ts'
import { guessOf } from './attempts.rules.ts'
import { findLockout, insertLoginFailure, lockLoginAttempts } from './attempts.sql.ts'
import { TOKEN_REQUESTS_PER_SECOND_MAX } from './tokens.rules.ts'
import { countTokenRequest } from './tokens.sql.ts'

// Attempts to prove a secret that people remember. Tokens and sign-ins share the limits, and the failures of one user
// name.

export type Attempt = {
  readonly database: Database
  readonly kind: 'member' | 'operator'
  /** Name under which failures are counted, in any letter case, known or not. */
  readonly name: string
  readonly address: string
  /**
   * Finds the digest of a device by which the person is known. Its failures are counted apart from those of strangers.
   */
  readonly device: (connection: Queryable) => Promise<Buffer | undefined>
  /** Refuses an attempt that could not be proven now, before it costs the database more than the search for its device. */
  readonly admit?: (asker: Asker) => void
  /** Called in the commit of the failure that locks the name out, once for each lockout. */
  readonly onLockedOut: (tx: Tx, scope: LockoutScope) => Promise<void>
  /** Called when `onLockedOut` failed. The failure is counted all the same. */
  readonly onProblem: (text: string, error: unknown) => void
}

export type { LockoutScope }

/** Result of a check. A failure is counted against the name, and is then thrown. */
export type Judged<T> = { readonly passed: T } | { readonly failure: RequestError }

/**
 * Checks an attempt within the limits. `prove` is the slow part, outside any transaction; it hashes in the turn of the
 * asker. `enter` follows when it passed, one call after the other for each name: of many guesses sent at once, no more
 * than the limit are answered. Rows that `enter` wrote before it returns a failure stay, so it must write last.
 */
export async function attemptLogin<Proof, T>(
  attempt: Attempt,
  prove: (asker: Asker) => Promise<Judged<Proof>>,
  enter: (tx: Tx, proof: Proof) => Promise<Judged<T>>,
): Promise<T> {
  const { database, address } = attempt
  if (!(await mayAttemptHere(database, address))) throw tooManyAttempts()
  const guess = guessOf({ ...attempt, device: await attempt.device(database) })
  const asker = askerOf(attempt, guess)
  attempt.admit?.(asker)
  if (!(await mayAttempt(database, address))) throw tooManyAttempts()
  await refuseLockedOut(database, guess)
  const proven = await prove(asker)
  const entered = await database.transaction(async (tx) => {
    await lockLoginAttempts(tx, guess)
    await refuseLockedOut(tx, guess)
    const judged = 'failure' in proven ? proven : await enter(tx, proven.passed)
    if ('failure' in judged) await countFailure(tx, guess, attempt)
    return judged
  })
  if ('failure' in entered) throw entered.failure
  return entered.passed
}

/** Failures at a known place are counted for that place alone, so strangers cannot take a known person's turns. */
function askerOf({ kind, name, address }: Attempt, { isKnown }: Guess): Asker {
  return isKnown ? personOf(kind, name, name) : strangerAt(address)
}

/** Answers 429 to an address that makes too many attempts of any kind. All nodes count together. */
export async function admitAttempt(connection: Queryable, address: string): Promise<void> {
  if (!(await mayAttemptHere(connection, address)) || !(await mayAttempt(connection, address)))
    throw tooManyAttempts()
}

function tooManyAttempts(): RequestError {
  return tooMany(1, `more than ${TOKEN_REQUESTS_PER_SECOND_MAX} attempts in a second`)
}

/** Budgets of this process, which refuse a flood before it costs the database a statement for each request. */
const budgets = new WeakMap<Queryable, Budget>()
const LOCAL_BUDGET = {
  perSecond: TOKEN_REQUESTS_PER_SECOND_MAX,
  burst: 2 * TOKEN_REQUESTS_PER_SECOND_MAX,
  exempt: [],
}

/** Refusals that wait at the same time: half of the requests that may be under way. Further ones are answered at once. */
const HELD_MAX = 500
const HOLD_MS = 1_000
let held = 0

/**
 * Tells whether the address may make one more attempt at this process now, and counts it. A no comes after a second: a
 * program that does not wait would ask again at once, and its connections would keep the payments of others waiting.
 */
export async function mayAttemptHere(connection: Queryable, address: string): Promise<boolean> {
  const budget = budgets.get(connection) ?? createBudget(LOCAL_BUDGET)
  budgets.set(connection, budget)
  if (budget.spend(address)) return true
  if (held < HELD_MAX) {
    held += 1
    await delay(HOLD_MS)
    held -= 1
  }
  return false
}

/** Tells whether the address may make one more attempt now, and counts it. All nodes count together. */
export function mayAttempt(connection: Queryable, address: string): Promise<boolean> {
  return countTokenRequest(connection, networkOf(address), TOKEN_REQUESTS_PER_SECOND_MAX)
}

/** Counts a failure even if `onLockedOut` fails: an uncounted guess would give an attacker one more. */
export async function countFailure(
  tx: Tx,
  guess: Guess,
  { database, onLockedOut, onProblem }: Pick<Attempt, 'database' | 'onLockedOut' | 'onProblem'>,
): Promise<void> {
  await insertLoginFailure(tx, guess)
  const lockout = await findLockout(tx, guess)
  if (lockout === undefined) return
  try {
    await joined(tx, database).transaction((inner) => onLockedOut(inner, lockout.scope))
  } catch (error) {
    onProblem('a name was shut out, but the audit log could not be written', error)
  }
}

async function refuseLockedOut(connection: Queryable, guess: Guess): Promise<void> {
  const lockout = await findLockout(connection, guess)
  if (lockout !== undefined) {
    throw tooMany(lockout.secondsLeft, `too many failures for this name, ${lockout.scope}`)
  }
}

function tooMany(retryAfterSeconds: number, internalText: string): RequestError {
  return new RequestError({
    status: 429,
    code: 'too_many_requests',
    publicText: 'Too many attempts. Please try again later.',
    internalText,
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  })
}
