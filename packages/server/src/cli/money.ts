import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Tx } from '../db/database.ts'
import { openDatabase, UncertainCommitError } from '../db/database.ts'
import { RequestError } from '../lib/errors.ts'
import { describeRule, readFields } from '../lib/input/fields.ts'
import { REFERENCE } from '../lib/input/records.ts'
import { getLastSequence, listRowsAbout, listRowsBehind } from '../modules/audit/service.ts'
import type { AuditRecord, Target } from '../modules/audit/types.ts'
import type { Call, Option, Output } from './command.ts'
import { formatFields } from './text.ts'

// Commands that move money. A lost answer to COMMIT must not look like a failure, because a repeated command would move
// the money twice. Each run has a reference, which is printed before money moves and stored with the movement.

/**
 * Outcome of a money command. `posted`: the movement is in the books. `not_posted`: it is not, and never will be.
 * `unknown`: the database could not be asked.
 */
export type MoneyOutcome = 'posted' | 'not_posted' | 'unknown'

/** Error of a money command that did not end with `posted`. `cause` says why, if something was refused. */
export class NotPostedError extends Error {
  readonly reference: string
  readonly outcome: Exclude<MoneyOutcome, 'posted'>

  constructor(reference: string, outcome: Exclude<MoneyOutcome, 'posted'>, text: string, cause: unknown) {
    super(text, { cause })
    this.name = 'NotPostedError'
    this.reference = reference
    this.outcome = outcome
  }
}

export const EXIT_CODES =
  'Exit code: 0 posted, 1 refused or not posted, 2 wrong command line, 3 unknown: check, or repeat it with the\n' +
  'same --reference, which posts nothing twice.'

export const REFERENCE_OPTION: Option = {
  value: 'TEXT',
  help: `your own name for this run, ${describeRule(REFERENCE)}: given again, nothing moves twice (default: one is made)`,
}

/** Returns the given reference, or makes a unique one. */
export function chooseReference(call: Pick<Call, 'find'>): string {
  const given = call.find('reference') ?? `warungd-${randomBytes(9).toString('hex')}`
  return readFields({ reference: REFERENCE }, { reference: given }).reference
}

const POLL_MAX_MS = 10_000
const POLL_AGAIN_MS = 500

/**
 * Posts, and finds out whether it was posted when the answer to the commit is lost. `isPosted` checks on a new connection.
 * It must wait for a posting in progress, so that "no" is final.
 */
export async function postOnce<T>(
  call: Call,
  reference: string,
  post: (database: Database) => Promise<T>,
  isPosted: (tx: Tx) => Promise<boolean>,
): Promise<T> {
  const { database } = await call.runtime()
  call.note(`reference: ${reference}`)
  // The work is done when the commit is sent. Its result is right if the commit turns out to have happened.
  let made: { readonly result: T } | undefined
  try {
    return await post(
      observed(database, (result) => {
        made = { result: result as T }
      }),
    )
  } catch (error) {
    if (!(error instanceof UncertainCommitError)) throw notPosted(reference, error)
    call.note('the database did not confirm it; checking whether it is posted')
    const posted = await pollUntilKnown(database, isPosted)
    if (posted === undefined) throw unknown(reference, error)
    if (!posted || made === undefined) throw notPosted(reference, error)
    return made.result
  }
}

/** Returns the same database. It passes on the result of the outermost transaction before the commit. */
function observed(database: Database, onResult: (result: unknown) => void): Database {
  return {
    ...database,
    transaction: (work) =>
      database.transaction(async (tx) => {
        const result = await work(tx)
        onResult(result)
        return result
      }),
  }
}

/** Looks again until the outcome is known; undefined: it could not be found out in time. */
async function pollUntilKnown(
  { options }: Database,
  isPosted: (tx: Tx) => Promise<boolean>,
): Promise<boolean | undefined> {
  const database = openDatabase({ ...options, connectionsMax: 1 })
  const endMs = performance.now() + POLL_MAX_MS
  const late = delay(POLL_MAX_MS, undefined, { ref: false })
  try {
    while (performance.now() < endMs) {
      const found = await Promise.race([database.transaction(isPosted).catch(() => undefined), late])
      if (found !== undefined) return found
      await Promise.race([delay(POLL_AGAIN_MS), late])
    }
    return undefined
  } finally {
    await database.close().catch(() => {})
  }
}

function notPosted(reference: string, cause: unknown): NotPostedError {
  const text = cause instanceof UncertainCommitError ? 'It was not posted; nothing was moved.' : String(cause)
  return new NotPostedError(reference, 'not_posted', text, cause)
}

function unknown(reference: string, cause: unknown): NotPostedError {
  const text =
    'It is not known whether it was posted: the database did not confirm it and could not be asked. ' +
    `Repeat it with --reference ${reference}: this posts nothing twice.`
  return new NotPostedError(reference, 'unknown', text, cause)
}

// ── Changes without a posting of their own: the payment or the case can end only once ──

export type MoneyStep<T> = {
  readonly reference: string
  /** Object that the step ends. Its rows in the audit log have the references of the runs that changed it. */
  readonly target: Target
  /** Does the step. Its line of the audit log is about the target, and its state after has the reference. */
  readonly post: (database: Database) => Promise<T>
  /** Shows the present state, if an earlier run with this reference did the step. */
  readonly show: () => Promise<T>
}

export type StepResult<T> = { readonly result: T; readonly isRepeat: boolean }

/** Does a step that can move money only once, such as the refund of a failed payment. */
export async function runMoneyStepOnce<T>(call: Call, step: MoneyStep<T>): Promise<StepResult<T>> {
  const { reference, target, post, show } = step
  const { database: own } = await call.runtime()
  const isDone = (rows: readonly AuditRecord[]) => rows.some(({ after }) => holdsReference(after, reference))
  if (isDone(await listRowsAbout(own, target))) return { result: await show(), isRepeat: true }
  const last = await getLastSequence(own)
  try {
    const isPosted = async (tx: Tx) => isDone(await listRowsBehind(tx, last))
    return { result: await postOnce(call, reference, post, isPosted), isRepeat: false }
  } catch (error) {
    // Another run with this reference may have been faster; this run is then refused.
    const isRefused = error instanceof NotPostedError && error.cause instanceof RequestError
    if (isRefused && isDone(await listRowsAbout(own, target))) return { result: await show(), isRepeat: true }
    throw error
  }
}

function holdsReference(after: string | null, reference: string): boolean {
  const read: unknown = after === null ? null : JSON.parse(after)
  return typeof read === 'object' && read !== null && 'reference' in read && read.reference === reference
}

/** Adds the reference and the outcome to the output of a money command. */
export function postedOutput({ json, text }: Output, reference: string, isRepeat: boolean): Output {
  // The order of a settlement has a field named reference already.
  const name = 'reference' in (json as object) ? 'run_reference' : 'reference'
  const said = { [name]: reference, outcome: 'posted' satisfies MoneyOutcome, repeated: isRepeat }
  const hint = isRepeat ? '\n\nThis reference had been posted before; nothing was moved now.' : ''
  return { json: { ...(json as object), ...said }, text: `${text}\n\n${formatFields(said)}${hint}` }
}
