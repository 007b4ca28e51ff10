import { plainArray, textArray } from '../../db/arrays.ts'
import type { Queryable, Tx } from '../../db/database.ts'
import type { ClosedAs, Difference, DifferenceKind, Found } from './types.ts'

/**
 * Saves differences; existing ones are marked as seen again. An accepted one stays accepted while its content is the
 * same; one that agreed in between is opened again.
 */
export async function saveFound(
  connection: Queryable,
  fileId: bigint,
  run: number,
  found: readonly Found[],
): Promise<void> {
  if (found.length === 0) return
  await connection.query(
    `insert into settlement_differences as d
       (file_id, seen_run, found_at, kind, line, reference, reseller_id, payment_id, attempt, theirs, ours,
        theirs_ringgit, ours_ringgit)
     select $1, $2, now(), n.* from unnest($3::text[], $4::integer[], $5::text[], $6::bigint[], $7::bigint[],
                                           $8::smallint[], $9::text[], $10::text[], $11::bigint[],
                                           $12::bigint[]) as n
     on conflict (file_id, kind, line, reference) do update
        set seen_run = excluded.seen_run, reseller_id = excluded.reseller_id, payment_id = excluded.payment_id,
            attempt = excluded.attempt, theirs = excluded.theirs, ours = excluded.ours,
            theirs_ringgit = excluded.theirs_ringgit, ours_ringgit = excluded.ours_ringgit,
            closed_at = case when d.closed_as = 'accepted' and (d.theirs, d.ours) = (excluded.theirs, excluded.ours)
                             then d.closed_at end,
            closed_as = case when d.closed_as = 'accepted' and (d.theirs, d.ours) = (excluded.theirs, excluded.ours)
                             then d.closed_as end`,
    [
      fileId,
      run,
      textArray(found.map(({ kind }) => kind)),
      plainArray(found.map(({ line }) => line)),
      textArray(found.map(({ reference }) => reference)),
      plainArray(found.map(({ resellerId }) => resellerId)),
      plainArray(found.map(({ paymentId }) => paymentId)),
      plainArray(found.map(({ attempt }) => attempt)),
      textArray(found.map(({ theirs }) => theirs)),
      textArray(found.map(({ ours }) => ours)),
      plainArray(found.map(({ theirsRinggit }) => theirsRinggit)),
      plainArray(found.map(({ oursRinggit }) => oursRinggit)),
    ],
  )
}

/** Closes differences that this run did not see: they agree by now. */
export async function closeUnseen(connection: Queryable, fileId: bigint, run: number): Promise<void> {
  await connection.query(
    `update settlement_differences set closed_at = now(), closed_as = 'agrees'
      where file_id = $1 and seen_run < $2 and closed_at is null`,
    [fileId, run],
  )
}

/** Closes orders missing in a file of an earlier day that another file of the provider lists now. */
export async function closeListed(connection: Queryable, provider: string): Promise<void> {
  await connection.query(
    `update settlement_differences d set closed_at = now(), closed_as = 'agrees'
       from settlement_files f
      where f.id = d.file_id and f.provider = $1 and d.kind = 'missing_there' and d.closed_at is null
        and exists (select from settlement_lines l join settlement_files lf on lf.id = l.file_id
                     where l.payment_id = d.payment_id and l.provider = $1 and l.attempt = d.attempt
                       and l.state = 'succeeded' and lf.withdrawn_at is null)`,
    [provider],
  )
}

/** Tells whether the amount of this line is an open difference. */
export async function hasOpenAmount(connection: Queryable, fileId: bigint, line: number): Promise<boolean> {
  const { rows } = await connection.query(
    `select from settlement_differences
      where file_id = $1 and kind = 'amount' and line = $2 and closed_at is null limit 1`,
    [fileId, line],
  )
  return rows.length > 0
}

type DifferenceRow = {
  id: bigint
  file_id: bigint
  kind: DifferenceKind
  line: number
  reference: string
  reseller_id: bigint | null
  payment_id: bigint | null
  attempt: number | null
  theirs: string
  ours: string
  theirs_ringgit: bigint | null
  ours_ringgit: bigint | null
  found_at: Date
  closed_at: Date | null
  closed_as: ClosedAs | null
  reason: string | null
}

const COLUMNS = `id, file_id, kind, line, reference, reseller_id, payment_id, attempt, theirs, ours, theirs_ringgit, ours_ringgit,
  found_at, closed_at, closed_as, reason`

export type DifferencePage = {
  readonly kind: DifferenceKind | null
  readonly withClosed: boolean
  readonly after: bigint
  readonly limit: number
}

/** Lists differences in the order in which they were found. */
export async function listDifferenceRows(
  connection: Queryable,
  fileId: bigint,
  page: DifferencePage,
): Promise<Difference[]> {
  const { rows } = await connection.query<DifferenceRow>(
    `select ${COLUMNS} from settlement_differences
      where file_id = $1 and id > $2 and ($3::text is null or kind = $3) and ($4 or closed_at is null)
      order by id limit $5`,
    [fileId, page.after, page.kind, page.withClosed, page.limit],
  )
  return rows.map(toDifference)
}

export async function findDifference(connection: Queryable, id: bigint): Promise<Difference | undefined> {
  const { rows } = await connection.query<DifferenceRow>(
    `select ${COLUMNS} from settlement_differences where id = $1`,
    [id],
  )
  return rows[0] && toDifference(rows[0])
}

/** Locks a difference, so that those who close it wait for each other. */
export async function lockDifference(tx: Tx, id: bigint): Promise<void> {
  await tx.query('select from settlement_differences where id = $1 for update', [id])
}

/** Returns undefined when it was closed before. */
export async function closeDifference(
  connection: Queryable,
  id: bigint,
  closedAs: 'agrees' | 'accepted',
  reason: string,
): Promise<Difference | undefined> {
  const { rows } = await connection.query<DifferenceRow>(
    `update settlement_differences set closed_at = now(), closed_as = $2, reason = $3
      where id = $1 and closed_at is null returning ${COLUMNS}`,
    [id, closedAs, reason],
  )
  return rows[0] && toDifference(rows[0])
}

export type KindCount = {
  kind: DifferenceKind
  open: number
  accepted: number
  agreeing: number
}

export async function countByKind(connection: Queryable, fileId: bigint): Promise<KindCount[]> {
  const { rows } = await connection.query<KindCount>(
    `select kind, count(*) filter (where closed_at is null)::integer as open,
            count(*) filter (where closed_as = 'accepted')::integer as accepted,
            count(*) filter (where closed_as = 'agrees')::integer as agreeing
       from settlement_differences where file_id = $1 group by kind order by kind`,
    [fileId],
  )
  return rows
}

function toDifference(row: DifferenceRow): Difference {
  return {
    id: row.id,
    fileId: row.file_id,
    kind: row.kind,
    line: row.line,
    reference: row.reference,
    resellerId: row.reseller_id,
    paymentId: row.payment_id,
    attempt: row.attempt,
    theirs: row.theirs,
    ours: row.ours,
    theirsRinggit: row.theirs_ringgit,
    oursRinggit: row.ours_ringgit,
    foundAt: row.found_at,
    closedAt: row.closed_at,
    closedAs: row.closed_as,
    reason: row.reason,
  }
}
