import type { Database, Queryable } from '../../db/database.ts'
import type { Follower } from '../../db/follower.ts'
import { startFollowing } from '../../db/follower.ts'
import { invalidFields, RequestError } from '../../lib/errors.ts'
import { noSuchName } from '../../lib/input/nearest.ts'
import type { BaseCatalog } from '../catalog/model/types.ts'
import type { NoticeIndex } from './notices.rules.ts'
import { boardOf } from './notices.rules.ts'
import {
  announceNotices,
  endOpenNotice,
  insertNotice,
  listBoardNotices,
  listNoticeRows,
  NETWORK_CHANNEL,
} from './notices.sql.ts'
import type { NewNotice, Notice } from './types.ts'

/** Limit of open notices. Every node holds them all and scans those of a product on each request. */
const OPEN_MAX = 500
const LIST_MAX = 1_000
/** Days for which a product that works again still says since when. */
const OVER_NOTICES_DAYS = 30

type Known = Pick<BaseCatalog, 'products' | 'categories'> & {
  /** Codes of the providers; when left out, a provider's code is not checked. */
  readonly providers?: readonly string[] | undefined
}

/**
 * Adds a notice; throws its problems. Call it inside a transaction when the notice must not exist without another
 * change.
 */
export async function addNotice(connection: Queryable, known: Known, wanted: NewNotice): Promise<Notice> {
  const problems = problemsOf(wanted, known)
  if (Object.keys(problems).length > 0) throw invalidFields(problems)
  const notice = await insertNotice(connection, wanted, OPEN_MAX)
  if (notice === undefined) {
    throw new RequestError({
      status: 409,
      code: 'too_many_notices',
      publicText: `There are ${OPEN_MAX} open notices. End some first.`,
    })
  }
  await announceNotices(connection)
  return notice
}

function namesOf(kind: NewNotice['target']['kind'], known: Known): readonly string[] {
  if (kind === 'product') return known.products.map(({ code }) => code)
  if (kind === 'category') return known.categories.map(({ code }) => code)
  return known.providers ?? []
}

function problemsOf({ target, startsAt, endsAt, stopsPayments }: NewNotice, known: Known) {
  const problems: Record<string, string[]> = {}
  const isUnknown =
    (target.kind === 'product' && known.products.every(({ code }) => code !== target.code)) ||
    (target.kind === 'category' && known.categories.every(({ code }) => code !== target.code)) ||
    (target.kind === 'provider' && known.providers?.includes(target.code) === false)
  if (isUnknown) problems.code = [noSuchName(target.kind, target.code, namesOf(target.kind, known))]
  const beginsMs = startsAt?.getTime() ?? Date.now()
  if (endsAt !== null && endsAt.getTime() <= beginsMs) problems.ends_at = ['must be after the start']
  if (stopsPayments && target.kind === 'provider') {
    // Routes decide where payments go, so a provider that must get none is taken off its routes.
    problems.stops_payments = ['A provider is stopped by switching it or its routes off.']
  }
  return problems
}

export type NoticeFilter = { readonly includeOver: boolean; readonly limit: number }

export function listNotices(connection: Queryable, filter: NoticeFilter): Promise<readonly Notice[]> {
  return listNoticeRows(connection, { ...filter, limit: Math.min(filter.limit, LIST_MAX) })
}

/** Throws 404 when the notice does not exist or is over already. */
export async function endNotice(connection: Queryable, id: bigint): Promise<Notice> {
  const notice = await endOpenNotice(connection, id)
  if (notice === undefined) {
    throw new RequestError({ status: 404, code: 'not_found', publicText: `There is no open notice ${id}.` })
  }
  await announceNotices(connection)
  return notice
}

// ── The board that every node holds ──

export type NoticeBoard = Pick<Follower, 'refresh' | 'close'> & { current(): NoticeIndex }

export type NoticeBoardOptions = {
  readonly database: Database
  readonly onProblem?: ((text: string, error: unknown) => void) | undefined
  readonly pollMs?: number
}

const POLL_MS = 1_000
const STATEMENT_TIMEOUT_MS = 2_000

/**
 * Opens the board. A board that can no longer be read keeps its content: payments that an operator stopped do not
 * start by themselves.
 */
export async function openNoticeBoard(options: NoticeBoardOptions): Promise<NoticeBoard> {
  let board = boardOf([])
  const follower = await startFollowing({
    database: options.database,
    what: 'the list of notices',
    channel: NETWORK_CHANNEL,
    pollMs: options.pollMs ?? POLL_MS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    async catchUp(connection) {
      board = boardOf(await listBoardNotices(connection, OVER_NOTICES_DAYS, LIST_MAX))
    },
    onProblem: options.onProblem,
  })
  return { current: () => board, refresh: follower.refresh, close: follower.close }
}
