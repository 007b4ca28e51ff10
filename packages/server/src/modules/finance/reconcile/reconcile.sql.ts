import { plainArray, textArray } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/database.ts'
import type { ResellerLine, TheirState, Unreadable } from './reconcile.types.ts'

// The file is kept in a temporary table of the connection while it is compared. The table ends with the connection, and
// two comparisons never share one.

export async function openStage(connection: Queryable): Promise<void> {
  await closeStage(connection)
  await connection.query(
    `create temporary table reconciled_lines (
       line integer primary key,
       refid text collate "C",
       amount bigint,
       state text,
       day integer,
       at_ms bigint,
       has_zone boolean,
       problem text
     )`,
  )
}

export async function closeStage(connection: Queryable): Promise<void> {
  await connection.query('drop table if exists pg_temp.reconciled_lines')
}

export async function stageLines(
  connection: Queryable,
  lines: readonly (ResellerLine | Unreadable)[],
): Promise<void> {
  const read = lines.map((line) => ('problem' in line ? null : line))
  await connection.query(
    `insert into reconciled_lines (line, refid, amount, state, day, at_ms, has_zone, problem)
     select * from unnest($1::integer[], $2::text[], $3::bigint[], $4::text[], $5::integer[], $6::bigint[],
                          $7::boolean[], $8::text[])`,
    [
      plainArray(lines.map(({ line }) => line)),
      textArray(read.map((line) => line?.refid ?? null)),
      plainArray(read.map((line) => line?.amount ?? null)),
      textArray(read.map((line) => line?.state ?? null)),
      plainArray(read.map((line) => line?.time?.day ?? null)),
      plainArray(read.map((line) => line?.time?.atMs ?? null)),
      plainArray(read.map((line) => String(line?.time?.hasZone ?? false))),
      textArray(lines.map((line) => ('problem' in line ? line.problem : null))),
    ],
  )
}

/** Builds the index after the last line: an index that is built at once costs a fraction of one that grows. */
export async function indexStage(connection: Queryable): Promise<void> {
  await connection.query('create index on reconciled_lines (refid, line)')
  await connection.query('analyze reconciled_lines')
}

export type StagedLine = {
  readonly line: ResellerLine | Unreadable
  /** Line on which the refid occurs first. */
  readonly firstLine: number
}

type StagedRow = {
  line: number
  refid: string | null
  amount: bigint | null
  state: TheirState | null
  day: number | null
  at_ms: bigint | null
  has_zone: boolean
  problem: string | null
  first_line: number | null
}

/** Lists a page of lines in the file's order. */
export async function listStaged(
  connection: Queryable,
  page: { readonly after: number; readonly limit: number },
): Promise<StagedLine[]> {
  const { rows } = await connection.query<StagedRow>(
    `select l.*, (select min(s.line) from reconciled_lines s where s.refid = l.refid) as first_line
       from reconciled_lines l where l.line > $1 order by l.line limit $2`,
    [page.after, page.limit],
  )
  return rows.map(stagedOf)
}

function stagedOf(row: StagedRow): StagedLine {
  const { line, refid, amount, state, day, at_ms: atMs, has_zone: hasZone } = row
  if (refid === null) return { line: { line, problem: row.problem ?? '' }, firstLine: line }
  const time = day === null ? null : { day, atMs: atMs === null ? null : Number(atMs), hasZone }
  return { line: { line, refid, amount, state, time }, firstLine: row.first_line ?? line }
}

/**
 * Returns the given refids that are on some line. `limit 1` makes it one index lookup for each refid. An `exists` was
 * planned as a join that read the whole file again for every page.
 */
export async function listStagedRefids(
  connection: Queryable,
  refids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await connection.query<{ refid: string }>(
    `select r.refid from unnest($1::text[]) as r (refid)
       join lateral (select from reconciled_lines l where l.refid = r.refid limit 1) l on true`,
    [textArray(refids)],
  )
  return new Set(rows.map(({ refid }) => refid))
}
