import { plainArray, textArray } from '../../db/arrays.ts'
import type { Queryable, Tx } from '../../db/database.ts'
import type { AmountOf, LineState, SettlementFile, SettlementLine, Sums } from './types.ts'

type FileRow = {
  id: bigint
  provider: string
  day: string
  name: string
  reference_of: 'ours' | 'theirs'
  amount_of: AmountOf
  currency: string
  lines: bigint
  imported_at: Date
  compared_at: Date | null
  open_differences: bigint
  withdrawn_at: Date | null
  withdrawn_reason: string | null
  theirs_sum: bigint | null
  ours_sum: bigint | null
  theirs_ringgit: bigint | null
  ours_ringgit: bigint | null
  told_lines: bigint | null
  untold_lines: bigint | null
}

const FILE_COLUMNS = `f.id, f.provider, to_char(f.day, 'yyyy-mm-dd') as day, f.name,
  coalesce(f.mapping -> 'reference' ->> 'of', 'ours') as reference_of,
  coalesce(f.mapping -> 'amount' ->> 'of', 'payment') as amount_of,
  coalesce(f.mapping -> 'currency' ->> 'is', 'MYR') as currency, f.theirs_sum, f.ours_sum, f.theirs_ringgit,
  f.ours_ringgit, f.told_lines, f.untold_lines, f.lines, f.imported_at,
  f.compared_at, (select count(*) from settlement_differences d where d.file_id = f.id and d.closed_at is null)
    as open_differences, f.withdrawn_at, f.withdrawn_reason`

function toFile(row: FileRow): SettlementFile {
  return {
    id: row.id,
    provider: row.provider,
    day: row.day,
    name: row.name,
    referenceOf: row.reference_of,
    amountOf: row.amount_of,
    currency: row.currency,
    lines: Number(row.lines),
    importedAt: row.imported_at,
    comparedAt: row.compared_at,
    openDifferences: Number(row.open_differences),
    withdrawnAt: row.withdrawn_at,
    withdrawnReason: row.withdrawn_reason,
    sums:
      row.theirs_sum === null || row.ours_sum === null
        ? null
        : {
            theirs: row.theirs_sum,
            ours: row.ours_sum,
            theirsRinggit: row.theirs_ringgit,
            oursRinggit: row.ours_ringgit,
            told: Number(row.told_lines),
            untold: Number(row.untold_lines),
          },
  }
}

export async function listFileProviders(connection: Queryable): Promise<string[]> {
  const { rows } = await connection.query<{ provider: string }>(
    'select distinct provider from settlement_files order by provider',
  )
  return rows.map(({ provider }) => provider)
}

export async function findFile(connection: Queryable, id: bigint): Promise<SettlementFile | undefined> {
  const { rows } = await connection.query<FileRow>(
    `select ${FILE_COLUMNS} from settlement_files f where f.id = $1`,
    [id],
  )
  return rows[0] && toFile(rows[0])
}

/** Finds a file among those that were not withdrawn. */
export async function findFileByDigest(
  connection: Queryable,
  provider: string,
  digest: Buffer,
): Promise<SettlementFile | undefined> {
  const { rows } = await connection.query<FileRow>(
    `select ${FILE_COLUMNS} from settlement_files f where f.provider = $1 and f.digest = $2
      and f.withdrawn_at is null`,
    [provider, digest],
  )
  return rows[0] && toFile(rows[0])
}

/** Lists the latest day first. */
export async function listFiles(
  connection: Queryable,
  page: { provider: string | null; limit: number },
): Promise<SettlementFile[]> {
  const { rows } = await connection.query<FileRow>(
    `select ${FILE_COLUMNS} from settlement_files f where $1::text is null or f.provider = $1
      order by f.day desc, f.imported_at desc, f.id desc limit $2`,
    [page.provider, page.limit],
  )
  return rows.map(toFile)
}

export type NewFile = {
  readonly provider: string
  readonly day: string
  readonly name: string
  readonly digest: Buffer
  readonly mapping: unknown
}

/** Returns undefined when somebody else imported it a moment ago. */
export async function insertFile(tx: Tx, file: NewFile): Promise<bigint | undefined> {
  const { rows } = await tx.query<{ id: bigint }>(
    `insert into settlement_files (provider, day, name, digest, mapping, lines, imported_at)
     values ($1, $2, $3, $4, $5, 0, now()) on conflict (provider, digest) where withdrawn_at is null do nothing
     returning id`,
    [file.provider, file.day, file.name, file.digest, JSON.stringify(file.mapping)],
  )
  return rows[0]?.id
}

export async function saveLineCount(tx: Tx, fileId: bigint, lines: number): Promise<void> {
  await tx.query('update settlement_files set lines = $2 where id = $1', [fileId, lines])
}

export async function saveSums(connection: Queryable, fileId: bigint, sums: Sums): Promise<void> {
  await connection.query(
    `update settlement_files set theirs_sum = $2, ours_sum = $3, theirs_ringgit = $4, ours_ringgit = $5,
            told_lines = $6, untold_lines = $7 where id = $1`,
    [fileId, sums.theirs, sums.ours, sums.theirsRinggit, sums.oursRinggit, sums.told, sums.untold],
  )
}

export async function insertLines(
  tx: Tx,
  fileId: bigint,
  provider: string,
  lines: readonly SettlementLine[],
): Promise<void> {
  await tx.query(
    `insert into settlement_lines (file_id, provider, line, reference, payment_id, attempt, amount, state,
                                   serial_number, at)
     select $1, $2, l.* from unnest($3::integer[], $4::text[], $5::bigint[], $6::smallint[], $7::bigint[],
                                    $8::text[], $9::text[], $10::timestamptz[]) as l`,
    [
      fileId,
      provider,
      plainArray(lines.map(({ line }) => line)),
      textArray(lines.map(({ reference }) => reference)),
      plainArray(lines.map(({ paymentId }) => paymentId)),
      plainArray(lines.map(({ attempt }) => attempt)),
      plainArray(lines.map(({ amount }) => amount)),
      textArray(lines.map(({ state }) => state)),
      textArray(lines.map(({ serialNumber }) => serialNumber)),
      textArray(lines.map(({ at }) => at?.toISOString() ?? null)),
    ],
  )
}

type LineRow = {
  line: number
  reference: string
  payment_id: bigint | null
  attempt: number | null
  amount: bigint
  state: LineState
  serial_number: string
  at: Date | null
  /** File and line in which the same order was listed as succeeded before. */
  earlier: string | null
}

export type ListedLine = SettlementLine & { readonly earlier: string | null }

const LINES = `
  select l.line, l.reference, l.payment_id, l.attempt, l.amount, l.state, l.serial_number, l.at, e.earlier
    from settlement_lines l
    left join lateral (
      select case when o.file_id = l.file_id then 'line ' || o.line else 'file ' || o.file_id || ', line ' || o.line end
               as earlier
        from settlement_lines o
        join settlement_files f on f.id = o.file_id and f.withdrawn_at is null
       where l.state = 'succeeded' and o.state = 'succeeded' and o.payment_id = l.payment_id
         and o.provider = l.provider and o.attempt = l.attempt and (o.file_id, o.line) < (l.file_id, l.line)
       order by o.file_id, o.line limit 1
    ) e on true
   where l.file_id = $1 and l.line > $2 order by l.line limit $3`

/** Lists lines in the order of the file. */
export async function listLines(
  connection: Queryable,
  fileId: bigint,
  page: { afterLine: number; limit: number },
): Promise<ListedLine[]> {
  const { rows } = await connection.query<LineRow>(LINES, [fileId, page.afterLine, page.limit])
  return rows.map((row) => ({
    line: row.line,
    reference: row.reference,
    paymentId: row.payment_id,
    attempt: row.attempt,
    amount: row.amount,
    state: row.state,
    serialNumber: row.serial_number,
    at: row.at,
    earlier: row.earlier,
  }))
}

/** Lists lines of which no payment is known, in the order of the file. */
export async function listUnnamed(
  connection: Queryable,
  fileId: bigint,
  page: { afterLine: number; limit: number },
): Promise<{ line: number; reference: string }[]> {
  const { rows } = await connection.query<{ line: number; reference: string }>(
    `select line, reference from settlement_lines where file_id = $1 and line > $2 and payment_id is null
      order by line limit $3`,
    [fileId, page.afterLine, page.limit],
  )
  return rows
}

/** Gives lines with the provider's own reference the payment that has it as its serial number. */
export async function nameLines(
  connection: Queryable,
  fileId: bigint,
  named: readonly { reference: string; paymentId: bigint; attempt: number }[],
): Promise<void> {
  await connection.query(
    `update settlement_lines l set payment_id = n.payment_id, attempt = n.attempt
       from unnest($2::text[], $3::bigint[], $4::smallint[]) as n (reference, payment_id, attempt)
      where l.reference = n.reference and l.file_id = $1 and l.payment_id is null`,
    [
      fileId,
      textArray(named.map(({ reference }) => reference)),
      plainArray(named.map(({ paymentId }) => paymentId)),
      plainArray(named.map(({ attempt }) => attempt)),
    ],
  )
}

/**
 * Lists those attempts that the provider lists as succeeded, in any file. An attempt that this very file lists as
 * failed is included: it is not missing but a difference of state.
 */
export async function listListed(
  connection: Queryable,
  file: Pick<SettlementFile, 'id' | 'provider'>,
  references: readonly Reference[],
): Promise<Reference[]> {
  const { rows } = await connection.query<{ payment_id: bigint; attempt: number }>(
    `select distinct l.payment_id, l.attempt
       from unnest($3::bigint[], $4::smallint[]) as k (payment_id, attempt)
       join settlement_lines l on l.payment_id = k.payment_id and l.provider = $2 and l.attempt = k.attempt
       join settlement_files f on f.id = l.file_id and f.withdrawn_at is null
      where l.state = 'succeeded' or (l.state = 'failed' and l.file_id = $1)`,
    [
      file.id,
      file.provider,
      plainArray(references.map(({ paymentId }) => paymentId)),
      plainArray(references.map(({ attempt }) => attempt)),
    ],
  )
  return rows.map((row) => ({ paymentId: row.payment_id, attempt: row.attempt }))
}

type Reference = { readonly paymentId: bigint; readonly attempt: number }

/** Finds another line in which the provider gives the opposite result for the same attempt. */
export async function findOpposite(
  connection: Queryable,
  provider: string,
  { paymentId, attempt, state }: Pick<SettlementLine, 'paymentId' | 'attempt' | 'state'>,
): Promise<{ file_id: bigint; line: number; state: LineState } | undefined> {
  const { rows } = await connection.query<{ file_id: bigint; line: number; state: LineState }>(
    `select l.file_id, l.line, l.state
       from settlement_lines l join settlement_files f on f.id = l.file_id and f.withdrawn_at is null
      where l.payment_id = $2 and l.provider = $1 and l.attempt = $3 and l.state not in ('pending', $4)
      order by l.file_id, l.line limit 1`,
    [provider, paymentId, attempt, state],
  )
  return rows[0]
}

/** Withdraws a file with all of its open differences. Returns false when it was withdrawn before. */
export async function withdrawFile(connection: Queryable, fileId: bigint, reason: string): Promise<boolean> {
  const { rows } = await connection.query(
    `with withdrawn as (
       update settlement_files set withdrawn_at = now(), withdrawn_reason = $2
        where id = $1 and withdrawn_at is null returning id
     ), closed as (
       update settlement_differences d set closed_at = now(), closed_as = 'withdrawn', reason = $2
         from withdrawn w where d.file_id = w.id and d.closed_at is null
     )
     select id from withdrawn`,
    [fileId, reason],
  )
  return rows.length > 0
}

/** Lists other files that list or miss a payment of this one: their differences may be wrong without it. */
export async function listAffectedFiles(connection: Queryable, fileId: bigint): Promise<bigint[]> {
  const { rows } = await connection.query<{ id: bigint }>(
    `with named as (
       select distinct payment_id, provider from settlement_lines where file_id = $1 and payment_id is not null
     )
     select f.id from settlement_files f
      where f.id <> $1 and f.withdrawn_at is null and f.id in (
        select l.file_id from named n
          join settlement_lines l on l.payment_id = n.payment_id and l.provider = n.provider
        union
        select d.file_id from named n join settlement_differences d on d.payment_id = n.payment_id
      ) and f.provider = (select provider from settlement_files where id = $1)
      order by f.id`,
    [fileId],
  )
  return rows.map(({ id }) => id)
}

/** Takes the number of the next comparison. */
export async function beginRun(connection: Queryable, fileId: bigint): Promise<number> {
  const { rows } = await connection.query<{ runs: number }>(
    'update settlement_files set runs = runs + 1, compared_at = now() where id = $1 returning runs',
    [fileId],
  )
  return rows[0]?.runs ?? 0
}

// Arbitrary fixed number in front of the file's id; no other lock of this service has two numbers.
const COMPARE_LOCK = 7_714_208

/**
 * Returns false when somebody else compares this file right now. The lock is held until the session ends or unlocks
 * it.
 */
export async function lockComparison(connection: Queryable, fileId: bigint): Promise<boolean> {
  const { rows } = await connection.query<{ locked: boolean }>(
    'select pg_try_advisory_lock($1::integer # lock_mark(), ($2::bigint % 2147483647)::integer) as locked',
    [COMPARE_LOCK, fileId],
  )
  return rows[0]?.locked === true
}

/** Returns false when somebody else compares this file right now. The lock is held until the commit. */
export async function holdComparison(tx: Tx, fileId: bigint): Promise<boolean> {
  const { rows } = await tx.query<{ locked: boolean }>(
    'select pg_try_advisory_xact_lock($1::integer # lock_mark(), ($2::bigint % 2147483647)::integer) as locked',
    [COMPARE_LOCK, fileId],
  )
  return rows[0]?.locked === true
}

/** Waits until nobody else compares this file, and takes the lock. */
export async function awaitComparison(connection: Queryable, fileId: bigint): Promise<void> {
  await connection.query(
    'select pg_advisory_lock($1::integer # lock_mark(), ($2::bigint % 2147483647)::integer)',
    [COMPARE_LOCK, fileId],
  )
}

export async function unlockComparison(connection: Queryable, fileId: bigint): Promise<void> {
  await connection.query(
    'select pg_advisory_unlock($1::integer # lock_mark(), ($2::bigint % 2147483647)::integer)',
    [COMPARE_LOCK, fileId],
  )
}
