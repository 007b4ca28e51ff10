import { randomUUID } from 'node:crypto'
import type { Queryable } from './database.ts'
import type { LeaseClock } from './lease-clock.ts'

/**
 * Table whose rows are work. A node claims rows that are due and holds them until its lease ends. Afterwards any node may
 * claim them.
 */
export type LeaseTable = {
  readonly table: string
  readonly key: readonly string[]
  /** Instant before which no node touches the row: the end of a lease, or the time at which the row is due. */
  readonly nextAt: string
  readonly mark: LeaseMark
  /** Number of claims; a claim raises it. */
  readonly attempts?: string
}

/**
 * Mark by which a holder knows that it still has the row. `holder`: a column with the id of the claim, null while nobody
 * holds the row. `number`: the columns `is_leased` and `lease`; every claim raises `lease`, so that attempts of different
 * holders are also in order.
 */
export type LeaseMark = { readonly kind: 'holder'; readonly column: string } | { readonly kind: 'number' }

/** Terms of one claim. Other nodes' leases count as ended only up to `believedUntil`: see LeaseClock. */
export type ClaimTerms = {
  readonly limit: number
  readonly leaseMs: number
  readonly believedUntil: Date
}

/**
 * Parts of a claim that differ from table to table. `w` is the row of work; $1 is the limit, $3 `believedUntil`. With a
 * number as the mark, `w.was_leased` tells that the holder before did not give the row back.
 */
export type ClaimParts = {
  /** Name of the prepared statement. */
  readonly name: string
  /** Select list of the result. */
  readonly columns: string
  /** Joins of the result with other tables. */
  readonly joins?: string
  /** Further condition of rows that are work. */
  readonly where?: string
  /** Order of the claim; by default the rows that wait longest come first. */
  readonly order?: string
  /** Queries before the claim, in the place after `with`, and the join that uses them to choose the rows. */
  readonly chosenBy?: { readonly queries: string; readonly join: string }
}

/** Claims rows. `holder` is the id of this claim, which tables with a mark of this kind store. */
export type Claim<Row> = (
  connection: Queryable,
  terms: ClaimTerms,
) => Promise<{ readonly rows: readonly Row[]; readonly holder: string }>

/**
 * Statements about held rows. Their first parameters are the key and the mark of the holder; a row that another node
 * has claimed since is not touched.
 */
export type Lease = {
  claim<Row extends object>(parts: ClaimParts): Claim<Row>
  /** Condition: the row of this key is still held under this mark. */
  readonly held: string
  /** Assignments that give the row back. The time at which it is due is not among them. */
  readonly freed: string
  /**
   * Gives the row back until it is due again after milliseconds, the parameter that follows the mark; null: never. `set`
   * is a list of further assignments.
   */
  postpone(set?: string): string
  /** Gives the row back at once, and does not count its attempt. */
  readonly release: string
}

const AFTER = (parameter: number) => `now() + $${parameter} * interval '1 millisecond'`

/** Makes the statements of a table's leases. They are the only text of a claim for all tables that declare it. */
export function defineLease(declared: LeaseTable): Lease {
  const { table, key, nextAt, mark, attempts } = declared
  const markAt = key.length + 1
  const held = [...key, markColumn(mark)].map((column, index) => `${column} = $${index + 1}`).join(' and ')
  const freed = mark.kind === 'holder' ? `${mark.column} = null` : 'is_leased = false'
  const uncounted = attempts === undefined ? '' : `, ${attempts} = ${attempts} - 1`
  return {
    claim: (parts) => defineClaim(declared, parts),
    held,
    freed,
    postpone: (set) =>
      `update ${table} set ${nextAt} = least(${AFTER(markAt + 1)}, 'infinity'), ${freed}${set === undefined ? '' : `, ${set}`}
        where ${held}`,
    release: `update ${table} set ${nextAt} = now(), ${freed}${uncounted} where ${held}`,
  }
}

function markColumn(mark: LeaseMark): string {
  return mark.kind === 'holder' ? mark.column : 'lease'
}

/** Numbers of the parameters that every claim has. */
const LIMIT = 1
const LEASE_MS = 2
const BELIEVED_UNTIL = 3
const HOLDER = 4

function defineClaim<Row extends object>(declared: LeaseTable, parts: ClaimParts): Claim<Row> {
  const statement = { name: parts.name, text: claimText(declared, parts) }
  return async (connection, { limit, leaseMs, believedUntil }) => {
    const holder = randomUUID()
    const values = [limit, leaseMs, believedUntil, ...(declared.mark.kind === 'holder' ? [holder] : [])]
    const { rows } = await connection.query<Row>(statement, values)
    return { rows, holder }
  }
}

/**
 * Builds the text of a claim. Rows that another claim has locked are skipped, so that nodes which claim together share
 * the work. The end of a lease is compared with two clocks; a row that nobody holds needs only the database's.
 */
function claimText({ table, key, nextAt, mark, attempts }: LeaseTable, parts: ClaimParts): string {
  const { columns, joins = '', where, order = `w.${nextAt}`, chosenBy } = parts
  const isFree = mark.kind === 'holder' ? `w.${mark.column} is null` : 'not w.is_leased'
  const taken =
    mark.kind === 'holder' ? `${mark.column} = $${HOLDER}` : 'is_leased = true, lease = w.lease + 1'
  const before = mark.kind === 'number' ? ', w.is_leased as was_leased' : ''
  const counted = attempts === undefined ? '' : `, ${attempts} = w.${attempts} + 1`
  return `
    with ${chosenBy === undefined ? '' : `${chosenBy.queries}, `}due as (
      select ${key.map((column) => `w.${column}`).join(', ')}${before} from ${table} w ${chosenBy?.join ?? ''}
       where ${where === undefined ? '' : `${where} and `}w.${nextAt} <= now()
         and (${isFree} or w.${nextAt} <= $${BELIEVED_UNTIL})
       order by ${order} limit $${LIMIT} for update of w skip locked
    ), claimed as (
      update ${table} w set ${nextAt} = ${AFTER(LEASE_MS)}, ${taken}${counted}
        from due where ${key.map((column) => `w.${column} = due.${column}`).join(' and ')}
      returning w.*${mark.kind === 'number' ? ', due.was_leased' : ''}
    )
    select ${columns} from claimed w ${joins}`
}

/** Claimed work, and the end of its lease on performance.now's clock. */
export type Leased<Work> = { readonly work: readonly Work[]; readonly leaseEndsMs: number }

/**
 * Claims work on the terms of this node. The end of the lease is counted from before the claim, so that this node gives
 * up before the database lets another one begin.
 */
export async function claimLeased<Work>(
  { leaseMs, leaseClock }: { readonly leaseMs: number; readonly leaseClock: LeaseClock },
  limit: number,
  claim: (terms: ClaimTerms) => Promise<readonly Work[]>,
): Promise<Leased<Work>> {
  const leaseEndsMs = performance.now() + leaseMs
  const work = await claim({ limit, leaseMs, believedUntil: leaseClock.believedUntil() })
  return { work, leaseEndsMs }
}
