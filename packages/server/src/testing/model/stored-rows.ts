import type { Database } from '../../db/database.ts'
import type { PaymentCode } from '../../modules/payments/core/types.ts'
import type { OpenAttempt, Row, Work } from './rows.types.ts'

// Rows of the model in a real database: put there in a few statements, and read back.

/** Payments in the database, one for each row, in their order. */
export type StoredRows = {
  idOf(place: number): bigint
  /** Reads the rows back, with the number of refunds in the ledger. */
  read(): Promise<StoredRow[]>
}

export type StoredRow = { readonly row: Row; readonly refunds: number }

const PUT_PAYMENTS = `
  insert into payments (reseller_id, id, refid, product_code, product_name, account, amount, face_value, cost,
                        balance_after, code, remarks, sender, member_id, provider, created_at, changed_at)
  select $1, $2::bigint + c.place, 'M-' || $2::bigint + c.place, 'NOVA', 'Nova', '60123456789', 1, 1, 1, 0, c.code, '',
         '203.0.113.7', '1', c.provider, now(), now()
    from json_to_recordset($3) as c (place integer, code smallint, provider text)`

/** Time that is over is a minute ago and time to come is in an hour; an attempt that proves absence is an hour old. */
const TIMES = `
  case when c."isProven" then now() - interval '1 hour' else now() end,
  case when c."isDue" then now() - case when c."isEarly" then interval '1 second' else interval '1 minute' end
       else now() + interval '1 hour' end`

const PUT_WORK = `
  insert into payment_work (reseller_id, payment_id, attempt, submitted_at, next_at, is_leased, lease, due_at, is_unsent,
                            repeats)
  select $1, $2::bigint + c.place, c.attempt, ${TIMES}, c."isLeased", c.lease, now(), c."isUnsent", c.repeats
    from json_to_recordset($3)
      as c (place integer, attempt smallint, lease integer, "isLeased" boolean, "isDue" boolean, "isEarly" boolean,
            "isUnsent" boolean, repeats smallint, "isProven" boolean)`

const PUT_OPEN = `
  insert into payment_open_attempts (reseller_id, payment_id, attempt, provider, submitted_at, next_at, is_leased, lease)
  select $1, $2::bigint + c.place, c.attempt, c.provider, ${TIMES}, c."isLeased", c.lease
    from json_to_recordset($3)
      as c (place integer, attempt smallint, provider text, lease integer, "isLeased" boolean, "isDue" boolean,
            "isEarly" boolean, "isProven" boolean)`

const PUT_CHANGES = `
  insert into payment_changes (reseller_id, payment_id, kind, code, attempt, provider, provider_before, detail, at)
  select $1, $2::bigint + c.place, c.kind, c.code, c.attempt, c.provider, c.before, '', now()
    from json_to_recordset($3)
      as c (place integer, kind text, code smallint, attempt smallint, provider text, before text)
   order by c.place`

type Change = {
  readonly kind: 'attempt' | 'route' | 'state' | 'contradiction'
  readonly code: number
  readonly attempt: number | null
  readonly provider?: string | undefined
  readonly before?: string | undefined
}

/** Lists the lines of the timeline that a row stands for. */
function changesOf({ code, providers, routed, ended, contradictions }: Row): Change[] {
  const later = providers.slice(1).map(
    (provider, index): Change => ({
      kind: 'attempt',
      code: 0,
      attempt: index + 2,
      provider,
      before: providers[index],
    }),
  )
  const noted = contradictions.map((text): Change => {
    const [found, attempt] = text.split(' ').map(Number)
    return { kind: 'contradiction', code: Number(found), attempt: attempt === 0 ? null : Number(attempt) }
  })
  return [
    ...later,
    ...routed.map((attempt): Change => ({ kind: 'route', code: 0, attempt })),
    ...(ended === null ? [] : [{ kind: 'state', ...ended } as const]),
    ...(code === 53 ? [{ kind: 'state', code, attempt: null } as const] : []),
    ...noted,
  ]
}

export async function putRows(
  database: Database,
  reseller: bigint,
  rows: readonly Row[],
): Promise<StoredRows> {
  const { rows: clock } = await database.query<{ base: bigint }>(
    `select (floor(extract(epoch from clock_timestamp()) * 1000)::bigint << 20) as base`,
  )
  const base = clock[0]?.base as bigint
  const put = (statement: string, values: readonly object[]) =>
    database.query(statement, [reseller, base, JSON.stringify(values)])
  const each = <T extends object>(list: (row: Row) => readonly T[]) =>
    rows.flatMap((row, place) => list(row).map((value) => ({ place, ...value })))
  await put(
    PUT_PAYMENTS,
    each(({ code, providers }) => [{ code, provider: providers.at(-1) }]),
  )
  await put(
    PUT_WORK,
    each(({ work }) => (work === null ? [] : [work])),
  )
  await put(
    PUT_OPEN,
    each(({ open, providers }) =>
      open.map((attempt) => ({ ...attempt, provider: providers[attempt.attempt - 1], isEarly: false })),
    ),
  )
  await put(PUT_CHANGES, each(changesOf))
  return {
    idOf: (place) => base + BigInt(place),
    read: () => readRows(database, reseller, base, rows.length),
  }
}

const TIME_COLUMNS = (name: string) =>
  `'isDue', ${name}.next_at <= now(), 'isProven', ${name}.submitted_at < now() - interval '30 minutes'`

const READ = `
  select p.code,
         (select coalesce(array_agg(a.provider order by n) filter (where a.provider is not null), '{}')
            from generate_series(1, 4) n
           cross join lateral (select attempt_provider(p.reseller_id, p.id, n::smallint) as provider) a) as providers,
         (select json_build_object('attempt', w.attempt, 'lease', w.lease, 'isLeased', w.is_leased,
                                   'isUnsent', w.is_unsent, 'repeats', w.repeats, ${TIME_COLUMNS('w')})
            from payment_work w where w.reseller_id = p.reseller_id and w.payment_id = p.id) as work,
         (select coalesce(json_agg(json_build_object('attempt', o.attempt, 'lease', o.lease, 'isLeased', o.is_leased,
                                                     ${TIME_COLUMNS('o')}) order by o.attempt), '[]')
            from payment_open_attempts o where o.reseller_id = p.reseller_id and o.payment_id = p.id) as open,
         (select coalesce(array_agg(distinct c.attempt::integer), '{}') from payment_changes c
           where c.reseller_id = p.reseller_id and c.payment_id = p.id and c.kind = 'route') as routed,
         (select json_build_object('code', c.code, 'attempt', c.attempt) from payment_changes c
           where c.reseller_id = p.reseller_id and c.payment_id = p.id and c.kind = 'state' and c.code not in (0, 1, 53)
           order by c.id desc limit 1) as ended,
         (select coalesce(array_agg(t.text order by t.text collate "C"), '{}') from payment_changes c
           cross join lateral (select c.code || ' ' || coalesce(c.attempt, 0) as text) t
           where c.reseller_id = p.reseller_id and c.payment_id = p.id and c.kind = 'contradiction') as contradictions,
         (select count(*)::integer from transfers t
           where t.reseller_id = p.reseller_id and t.payment_id = p.id and t.kind = 'refund') as refunds
    from payments p
   where p.reseller_id = $1 and p.id >= $2::bigint and p.id < $2::bigint + $3 order by p.id`

type ReadRow = {
  code: PaymentCode
  providers: string[]
  work: Omit<Work, 'isEarly' | 'request'> | null
  open: OpenAttempt[]
  routed: number[]
  ended: Row['ended']
  contradictions: string[]
  refunds: number
}

async function readRows(
  database: Database,
  reseller: bigint,
  base: bigint,
  count: number,
): Promise<StoredRow[]> {
  const { rows } = await database.query<ReadRow>(READ, [reseller, base, count])
  return rows.map(({ refunds, work, ...row }) => ({
    row: { ...row, work: work === null ? null : { ...work, isEarly: false, request: 0 } },
    refunds,
  }))
}

/** Drops the fields that the database does not keep in this form. */
export function comparable(row: Row): Row {
  return { ...row, work: row.work === null ? null : { ...row.work, isEarly: false, request: 0 } }
}
