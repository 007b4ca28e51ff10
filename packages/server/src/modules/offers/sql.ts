import type { Queryable, Tx } from '../../db/database.ts'
import type { ClaimTerms } from '../../db/leases.ts'
import { defineLease } from '../../db/leases.ts'
import { assert } from '../../lib/errors.ts'
import type { Latest } from './rules.ts'
import type { Difference, Offer, Proposal, ProposalKind, ProposalState, Sync, SyncSchedule } from './types.ts'

// ── Readings of lists ──

type SyncRow = {
  id: bigint
  provider: string
  state: Sync['state']
  pages: number
  offers: number
  unread: number
  proposals: number
  trouble: string | null
  started_by: string
  started_at: Date
  finished_at: Date | null
}

const SYNC_COLUMNS =
  'id, provider, state, pages, offers, unread, proposals, trouble, started_by, started_at, finished_at'

function toSync(row: SyncRow): Sync {
  const { started_by: startedBy, started_at: startedAt, finished_at: finishedAt, ...rest } = row
  return { ...rest, startedBy, startedAt, finishedAt }
}

/** Starts a reading; undefined: one of this provider is running. */
export async function insertSync(
  connection: Queryable,
  provider: string,
  startedBy: string,
): Promise<Sync | undefined> {
  const { rows } = await connection.query<SyncRow>(
    `insert into offer_syncs (provider, state, started_by) values ($1, 'running', $2)
     on conflict (provider) where state = 'running' do nothing
     returning ${SYNC_COLUMNS}`,
    [provider, startedBy],
  )
  return rows[0] && toSync(rows[0])
}

/** Lists the newest first; `provider` null: of all. */
export async function listSyncRows(
  connection: Queryable,
  provider: string | null,
  limit: number,
): Promise<Sync[]> {
  const { rows } = await connection.query<SyncRow>(
    `select ${SYNC_COLUMNS} from offer_syncs where $1::text is null or provider = $1
      order by started_at desc, id desc limit $2`,
    [provider, limit],
  )
  return rows.map(toSync)
}

/** Page that one node reads now. */
export type ClaimedPage = {
  readonly id: bigint
  readonly provider: string
  readonly cursor: string | null
  readonly pages: number
  readonly offers: number
  readonly failures: number
  readonly unnamed: number
  readonly ageMs: number
  readonly holder: string
}

const LEASE = defineLease({
  table: 'offer_syncs',
  key: ['id'],
  nextAt: 'next_at',
  mark: { kind: 'holder', column: 'holder' },
})

const claim = LEASE.claim<Omit<ClaimedPage, 'holder' | 'ageMs'> & { age_ms: number }>({
  name: 'offer_syncs_claim',
  columns: `w.id, w.provider, w.cursor, w.pages, w.offers, w.failures, w.unnamed,
            extract(epoch from now() - w.started_at)::float8 * 1000 as age_ms`,
  where: "w.state = 'running'",
})

export async function claimPages(connection: Queryable, terms: ClaimTerms): Promise<ClaimedPage[]> {
  const { rows, holder } = await claim(connection, terms)
  return rows.map(({ age_ms: ageMs, ...row }) => ({ ...row, ageMs, holder }))
}

const HOLD = `select id from offer_syncs where ${LEASE.held} for update`

/** Locks the reading; false: another node has it. */
export async function holdPage(tx: Tx, { id, holder }: ClaimedPage): Promise<boolean> {
  return (await tx.query(HOLD, [id, holder])).rowCount === 1
}

export type PageCounts = {
  readonly offers: number
  readonly unread: number
  readonly unnamed: number
  readonly proposals: number
}

const NEXT_PAGE = LEASE.postpone(
  `cursor = $4, pages = pages + 1, offers = offers + $5, unread = unread + $6, unnamed = unnamed + $7,
   proposals = proposals + $8, failures = 0, trouble = null`,
)

/** Notes a page that was taken, and from when the next one may be read. */
export async function nextPage(
  tx: Tx,
  { id, holder }: ClaimedPage,
  cursor: string | null,
  waitMs: number,
  { offers, unread, unnamed, proposals }: PageCounts,
): Promise<void> {
  await tx.query(NEXT_PAGE, [id, holder, waitMs, cursor, offers, unread, unnamed, proposals])
}

const FAILED = LEASE.postpone('failures = failures + 1, trouble = $4')

export async function postponePage(
  connection: Queryable,
  { id, holder }: ClaimedPage,
  afterMs: number,
  trouble: string,
): Promise<void> {
  await connection.query(FAILED, [id, holder, afterMs, trouble])
}

/** Gives a page back at once, because the node stops. */
export async function releasePage(connection: Queryable, { id, holder }: ClaimedPage): Promise<void> {
  await connection.query(LEASE.release, [id, holder])
}

export async function finishSync(
  connection: Queryable,
  id: bigint,
  state: 'complete' | 'failed',
  { trouble, proposals }: { readonly trouble: string | null; readonly proposals: number },
): Promise<void> {
  await connection.query(
    `update offer_syncs set state = $2, finished_at = now(), holder = null, trouble = $3, proposals = proposals + $4
      where id = $1 and state = 'running'`,
    [id, state, trouble, proposals],
  )
}

/** Deletes what nobody looks at any more. What a person decided stays. */
export async function sweepOffers(connection: Queryable, provider: string, keptDays: number): Promise<void> {
  await connection.query(
    `with old as (
       delete from offer_syncs where provider = $1 and finished_at < now() - make_interval(days => $2)
     )
     delete from offer_proposals
      where provider = $1 and state = 'superseded' and decided_at < now() - make_interval(days => $2)`,
    [provider, keptDays],
  )
}

// ── Schedules ──

/** Sets the schedule of a provider; null: none. */
export async function writeSchedule(tx: Tx, provider: string, everyHours: number | null): Promise<void> {
  await tx.query(
    everyHours === null
      ? 'delete from offer_schedules where provider = $1'
      : `insert into offer_schedules (provider, every_hours, next_at) values ($1, $2, now())
         on conflict (provider) do update set every_hours = $2, next_at = least(offer_schedules.next_at,
           later(excluded.next_at, $2::integer * interval '1 hour'))`,
    everyHours === null ? [provider] : [provider, everyHours],
  )
}

export async function listSchedules(connection: Queryable): Promise<SyncSchedule[]> {
  const { rows } = await connection.query<{ provider: string; every_hours: number; next_at: Date }>(
    'select provider, every_hours, next_at from offer_schedules order by provider',
  )
  return rows.map((row) => ({ provider: row.provider, everyHours: row.every_hours, nextAt: row.next_at }))
}

/** Returns the providers whose schedule is due, each to one node, and plans their next time. */
export async function takeDueSchedules(connection: Queryable): Promise<string[]> {
  const { rows } = await connection.query<{ provider: string }>(
    `update offer_schedules
        set next_at = (now() at time zone 'UTC' + every_hours * interval '1 hour') at time zone 'UTC'
      where next_at <= now() returning provider`,
  )
  return rows.map(({ provider }) => provider)
}

// ── Offers ──

export type OfferRow = {
  readonly code: string
  readonly seen: Offer | null
  readonly digest: string | null
  readonly known: Offer | null
  readonly sync_id: bigint
}

const OFFER_COLUMNS = 'code, seen, digest, known, sync_id'

export async function listOffers(
  connection: Queryable,
  provider: string,
  codes: readonly string[],
): Promise<OfferRow[]> {
  const { rows } = await connection.query<OfferRow>(
    `select ${OFFER_COLUMNS} from supplier_offers where provider = $1 and code = any($2)`,
    [provider, codes],
  )
  return rows
}

/** Lists offers that the list has named before, and not in this reading. */
export async function listUnseen(
  connection: Queryable,
  provider: string,
  syncId: bigint,
  limit: number,
): Promise<OfferRow[]> {
  const { rows } = await connection.query<OfferRow>(
    `select ${OFFER_COLUMNS} from supplier_offers where provider = $1 and sync_id <> $2 order by code limit $3`,
    [provider, syncId, limit],
  )
  return rows
}

export type OfferWrite = Omit<OfferRow, 'sync_id'>

export async function writeOffers(
  tx: Tx,
  provider: string,
  syncId: bigint,
  offers: readonly OfferWrite[],
): Promise<void> {
  if (offers.length === 0) return
  await tx.query(
    `insert into supplier_offers (provider, code, seen, digest, known, sync_id, seen_at)
     select $1, o.code, o.seen, o.digest, o.known, $2, now()
       from jsonb_to_recordset($3) as o (code text, seen jsonb, digest text, known jsonb)
     on conflict (provider, code) do update
        set seen = excluded.seen, digest = excluded.digest, known = excluded.known, sync_id = excluded.sync_id,
            seen_at = case when excluded.seen is null then supplier_offers.seen_at else excluded.seen_at end`,
    [provider, syncId, JSON.stringify(offers)],
  )
}

/** Notes that this reading named the offers; returns those that are known. */
export async function touchOffers(
  tx: Tx,
  provider: string,
  syncId: bigint,
  codes: readonly string[],
): Promise<string[]> {
  const { rows } = await tx.query<{ code: string }>(
    `update supplier_offers set sync_id = $2, seen_at = now() where provider = $1 and code = any($3) returning code`,
    [provider, syncId, codes],
  )
  return rows.map(({ code }) => code)
}

export async function deleteOffers(tx: Tx, provider: string, codes: readonly string[]): Promise<void> {
  await tx.query('delete from supplier_offers where provider = $1 and code = any($2)', [provider, codes])
}

/** Notes what our catalogue follows from now on, by code. */
export async function writeKnown(
  tx: Tx,
  provider: string,
  known: ReadonlyMap<string, Offer | null>,
): Promise<void> {
  await tx.query(
    `update supplier_offers s set known = o.known
       from jsonb_to_recordset($2) as o (code text, known jsonb) where s.provider = $1 and s.code = o.code`,
    [provider, JSON.stringify([...known].map(([code, offer]) => ({ code, known: offer })))],
  )
}

// ── Proposals ──

type ProposalRow = {
  id: bigint
  provider: string
  code: string
  kind: ProposalKind
  before: Partial<Offer> | null
  after: Partial<Offer> | null
  state: ProposalState
  created_at: Date
  decided_at: Date | null
  decided_by: string | null
}

const PROPOSAL_COLUMNS = 'id, provider, code, kind, before, after, state, created_at, decided_at, decided_by'

function toProposal(row: ProposalRow): Proposal {
  const { created_at: createdAt, decided_at: decidedAt, decided_by: decidedBy, ...rest } = row
  return { ...rest, createdAt, decidedAt, decidedBy }
}

/** Lists the latest proposal of each kind for each of the offers. */
export async function listLatest(
  connection: Queryable,
  provider: string,
  codes: readonly string[],
): Promise<(Latest & { readonly code: string })[]> {
  const { rows } = await connection.query<ProposalRow>(
    `select distinct on (code, kind) ${PROPOSAL_COLUMNS} from offer_proposals
      where provider = $1 and code = any($2) order by code, kind, id desc`,
    [provider, codes],
  )
  return rows.map(toProposal)
}

export async function writeProposals(
  tx: Tx,
  provider: string,
  made: readonly (Difference & { readonly code: string })[],
): Promise<void> {
  if (made.length === 0) return
  await tx.query(
    `insert into offer_proposals (provider, code, kind, before, after, state)
     select $1, p.code, p.kind, p.before, p.after, 'open'
       from jsonb_to_recordset($2) as p (code text, kind text, before jsonb, after jsonb)`,
    [provider, JSON.stringify(made)],
  )
}

export async function decideProposals(
  tx: Tx,
  ids: readonly bigint[],
  state: Exclude<ProposalState, 'open'>,
  by: string,
): Promise<void> {
  if (ids.length === 0) return
  await tx.query(
    `update offer_proposals set state = $2, decided_at = now(), decided_by = $3 where id = any($1)`,
    [ids, state, by],
  )
}

export async function listProposalsById(connection: Queryable, ids: readonly bigint[]): Promise<Proposal[]> {
  const { rows } = await connection.query<ProposalRow>(
    `select ${PROPOSAL_COLUMNS} from offer_proposals where id = any($1) order by id`,
    [ids],
  )
  return rows.map(toProposal)
}

export type ProposalFilter = {
  /** null: any. */
  readonly provider: string | null
  readonly kinds: readonly ProposalKind[] | null
  readonly state: ProposalState | null
  readonly afterId: bigint
  readonly limit: number
}

/** Lists the oldest first. */
export async function listProposalRows(
  connection: Queryable,
  { provider, kinds, state, afterId, limit }: ProposalFilter,
): Promise<Proposal[]> {
  const { rows } = await connection.query<ProposalRow>(
    `select ${PROPOSAL_COLUMNS} from offer_proposals
      where ($1::text is null or provider = $1) and ($2::text[] is null or kind = any($2))
        and ($3::text is null or state = $3) and id > $4
      order by id limit $5`,
    [provider, kinds, state, afterId, limit],
  )
  return rows.map(toProposal)
}

/** Counts the open proposals of each kind. */
export async function countOpenProposals(
  connection: Queryable,
  provider: string,
): Promise<{ readonly kind: ProposalKind; readonly count: number }[]> {
  const { rows } = await connection.query<{ kind: ProposalKind; count: number }>(
    `select kind, count(*)::int as count from offer_proposals
      where provider = $1 and state = 'open' group by kind order by kind`,
    [provider],
  )
  assert(
    rows.every(({ count }) => count > 0),
    'kinds without proposals are not counted',
  )
  return rows
}
