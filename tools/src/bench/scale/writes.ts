import type { Database } from '../../../../packages/server/dist/db/database.js'
import type { Runtime } from '../../../../packages/server/dist/runtime.js'

const ROWS = 2_000

type Inserted = { pages: number; fetched: number }
type Explained = {
  'QUERY PLAN': [{ Plan: { 'Shared Read Blocks': number; 'Shared Hit Blocks': number } }]
}

/**
 * Counts the pages that the row of a payment and its index entries touch, and how many of them the server has to fetch.
 * Customers and refids lie anywhere in their indexes, as with refids that are random; or they lie where the last ones
 * did. Nothing is kept.
 */
export async function measureInserts({ database }: Pick<Runtime, 'database'>, wallets: { id: bigint }[]) {
  const ids = wallets.map(({ id }) => id)
  const found: (Inserted & { name: string })[] = []
  for (const [name, isScattered] of [
    ['row of a payment, customers and refids in order', false],
    ['row of a payment, customers and refids anywhere', true],
  ] as const) {
    // The first rows bring the inner pages of the indexes into memory, as they are on a service that is at work.
    await insert(database, ids, isScattered)
    found.push({ name, ...(await insert(database, ids, isScattered)) })
  }
  return found
}

async function insert(database: Database, ids: bigint[], isScattered: boolean): Promise<Inserted> {
  const undone = new Error('undone')
  let result: Inserted = { pages: 0, fetched: 0 }
  try {
    await database.transaction(async (tx) => {
      const { rows } = await tx.query<Explained>(`explain (analyze, buffers, format json) ${INSERT}`, [
        ids,
        ROWS,
        isScattered,
        BigInt(Date.now()),
      ])
      const plan = rows[0]?.['QUERY PLAN'][0].Plan
      if (plan === undefined) throw new Error('the server explained nothing')
      const fetched = plan['Shared Read Blocks']
      result = { pages: (plan['Shared Hit Blocks'] + fetched) / ROWS, fetched: fetched / ROWS }
      throw undone
    })
  } catch (error) {
    if (error !== undone) throw error
  }
  return result
}

const INSERT = `
  insert into payments (reseller_id, id, refid, product_code, product_name, account, amount, face_value, cost,
                        balance_after, code, remarks, sender, member_id, provider, created_at, changed_at)
  select ($1::bigint[])[1 + (i * 7919) % cardinality($1::bigint[])], ($4::bigint << 20) | i,
         case when $3 then 'past-' || floor(random() * 1000000)::integer || '-' || i else 'zzzz-' || lpad(i::text, 9, '0') end,
         'NOVA', 'Nova', '601' || case when $3 then lpad(floor(random() * 100000000)::text, 8, '0') else '99999999' end,
         50000, 50000, 48500, 0, 0, '', '203.0.113.7', '1', 'simulator', now(), now()
    from generate_series(1, $2::integer) as i`
