import type { Database, Queryable } from '../../db/database.ts'
import { RequestError } from '../../lib/errors.ts'
import { LIST_LIMIT, oneOf, readFields, text } from '../../lib/input/fields.ts'
import { optional } from '../../lib/input/parameters.ts'
import { findFulfillingProvider } from '../payments/fulfil/voids.service.ts'
import { listAccounts } from '../payments/support/support.service.ts'
import { CASE_NUMBER } from './listing.rules.ts'
import { APPROVED_TEXT, isClosed, TAKEN_TEXT } from './rules.ts'
import { reportOf, unknownCase } from './service.ts'
import type { CaseStep } from './sql.ts'
import { approveVoid, changeCase, countOpenCases, findAnyCase, listCases, listDueCases } from './sql.ts'
import type { Case, CaseKind, CaseReport, CaseState } from './types.ts'
import { CASE_KINDS, CASE_STATES } from './types.ts'
import { listAskedVoids } from './voids.sql.ts'

// Operations of operators on cases of any account.

export type CaseContext = { readonly database: Database }

/** Case with the account number by which people know its reseller. */
export type OperatorCase = Case & { readonly account: string }

const CASE_ORDERS = ['newest', 'due'] as const

const LIST_RULES = {
  state: optional(oneOf(CASE_STATES), null),
  kind: optional(oneOf(CASE_KINDS), null),
  order: optional(oneOf(CASE_ORDERS), 'newest'),
  before: optional(CASE_NUMBER, null),
  limit: LIST_LIMIT,
}

/** Lists cases of one reseller or of all: newest first, or the open ones, due first. */
export async function listAnyCases(
  { database }: CaseContext,
  page: {
    readonly resellerId: bigint | null
    readonly state?: string | undefined
    readonly kind?: string | undefined
    readonly order?: string | undefined
    /** Number of a case: only those behind it are listed. */
    readonly before?: string | undefined
    readonly limit: number
  },
): Promise<OperatorCase[]> {
  const { state, kind, order, before, limit } = readFields(LIST_RULES, page)
  if (order === 'due') {
    const due = { resellerId: page.resellerId, state, kind, afterId: before, limit }
    return named(database, await listDueCases(database, due))
  }
  const filter = { state, kind, limit, fromMs: null, untilMs: null, beforeId: before }
  return named(database, await listCases(database, page.resellerId, filter))
}

export type DueCases = {
  readonly open: number
  readonly overdue: number
  /** The one that is due first is in front. */
  readonly first: readonly OperatorCase[]
}

/** Counts the open cases of all resellers, and reads those that are due first. */
export async function readDueCases(connection: Queryable, limit: number): Promise<DueCases> {
  return {
    ...(await countOpenCases(connection)),
    first: await named(
      connection,
      await listDueCases(connection, { resellerId: null, state: null, kind: null, afterId: null, limit }),
    ),
  }
}

async function named(database: Queryable, cases: readonly Case[]): Promise<OperatorCase[]> {
  const accounts = await listAccounts(
    database,
    cases.map(({ resellerId }) => resellerId),
  )
  return cases.map((each) => ({ ...each, account: accounts.get(each.resellerId) ?? '' }))
}

export type OperatorReport = CaseReport & { readonly account: string }

export async function getAnyCase({ database }: CaseContext, number: string): Promise<OperatorReport> {
  const { report, account } = await reportOf(database, await find(database, number))
  return { ...report, account }
}

async function find(database: Database, number: string): Promise<Case> {
  const found = await findAnyCase(database, number)
  if (found === undefined) throw unknownCase()
  return found
}

/** Notes that an operator works on the case from now on. */
export function takeCase(context: CaseContext, number: string): Promise<OperatorReport> {
  return step(context, number, 'in_progress', TAKEN_TEXT)
}

export function writeMessage(context: CaseContext, number: string, message: string): Promise<OperatorReport> {
  return step(context, number, null, readFields(MESSAGE_RULES, { message }).message)
}

/** Refuses a case: the biller does not take the payment back, or nothing is wrong. */
export function refuseCase(context: CaseContext, number: string, message: string): Promise<OperatorReport> {
  return step(context, number, 'refused', readFields(MESSAGE_RULES, { message }).message)
}

/** Resolves a dispute. A void is resolved only by its refund. */
export function resolveDispute(
  context: CaseContext,
  number: string,
  message: string,
): Promise<OperatorReport> {
  return step(context, number, 'resolved', readFields(MESSAGE_RULES, { message }).message, 'dispute')
}

const TEXT_LENGTH_MAX = 500
const MESSAGE_RULES = { message: text(1, TEXT_LENGTH_MAX) }
const EVIDENCE_RULES = { evidence: text(1, TEXT_LENGTH_MAX) }

/** Rules that read the fields of cases, for the API document of the back office. */
export const CASE_FIELDS = { ...LIST_RULES, ...MESSAGE_RULES, ...EVIDENCE_RULES, number: CASE_NUMBER }

/**
 * Approves a void after the biller has: refunds the payment and closes the case. The evidence is only on the payment's
 * timeline.
 */
export async function approveCase(
  context: CaseContext,
  number: string,
  given: { readonly evidence: string },
): Promise<OperatorReport> {
  const { evidence } = readFields(EVIDENCE_RULES, given)
  const found = await find(context.database, number)
  assertKind(found, 'void')
  const approval = {
    author: 'operator',
    text: APPROVED_TEXT,
    evidence: `case ${number}: ${evidence}`,
  } as const
  const verdict = isClosed(found.state) ? undefined : await approveVoid(context.database, found, approval)
  if (verdict !== 'approved') throw closed()
  return getAnyCase(context, number)
}

async function step(
  context: CaseContext,
  number: string,
  state: CaseStep['state'],
  message: string,
  kind?: CaseKind,
): Promise<OperatorReport> {
  const found = await find(context.database, number)
  if (kind !== undefined) assertKind(found, kind)
  const change: CaseStep = { state, author: 'operator', text: message }
  if (!(await changeCase(context.database, found, change))) {
    throw isTaken(state, (await find(context.database, number)).state) ? taken() : closed()
  }
  return getAnyCase(context, number)
}

function isTaken(wanted: CaseStep['state'], state: CaseState): boolean {
  return wanted === 'in_progress' && state === 'in_progress'
}

function assertKind({ kind }: Case, wanted: CaseKind): void {
  if (kind === wanted) return
  throw wanted === 'void'
    ? conflict('not_a_void', 'This case is a dispute: resolve it.')
    : conflict('not_a_dispute', 'This case is a void: approve it when the biller has, or refuse it.')
}

function closed(): RequestError {
  return conflict('case_closed', 'This case is closed already.')
}

function taken(): RequestError {
  return conflict('already_taken', 'Somebody works on this case already.')
}

function conflict(code: string, publicText: string): RequestError {
  return new RequestError({ status: 409, code, publicText })
}

/** Counts voids that a provider was, or is to be, asked for and has not decided. */
export async function countVoidsAt(connection: Queryable, provider: string): Promise<number> {
  let count = 0
  for (const payment of await listAskedVoids(connection)) {
    if ((await findFulfillingProvider(connection, payment)) === provider) count += 1
  }
  return count
}
