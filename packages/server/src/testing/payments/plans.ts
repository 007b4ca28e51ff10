import type { Queryable } from '../../db/database.ts'

type PlanNode = {
  readonly 'Relation Name'?: string
  /** Average of one loop. */
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

/** Counts the rows of a table that a statement reads. The statement's result is not passed on. */
export async function countRowsRead(
  connection: Queryable,
  table: string,
  run: (connection: Queryable) => Promise<unknown>,
): Promise<number> {
  let read = 0
  await run({
    async query(statement, values) {
      const text = typeof statement === 'string' ? statement : statement.text
      const { rows } = await connection.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (analyze, format json) ${text}`,
        values,
      )
      for (const row of rows) read += rowsReadBy(row['QUERY PLAN'][0].Plan, table)
      return { rows: [], rowCount: 0 }
    },
  })
  return Math.round(read)
}

function rowsReadBy(node: PlanNode, table: string): number {
  const perLoop = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)
  const own = node['Relation Name'] === table ? perLoop * node['Actual Loops'] : 0
  return (node.Plans ?? []).reduce((sum, each) => sum + rowsReadBy(each, table), own)
}
