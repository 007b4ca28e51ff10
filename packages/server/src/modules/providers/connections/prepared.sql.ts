import type { Queryable, Tx } from '../../../db/database.ts'

export async function readPreparedAlone(connection: Queryable, code: string): Promise<boolean> {
  const { rows } = await connection.query<{ is_prepared_alone: boolean }>(
    'select is_prepared_alone from provider_connections where code = $1',
    [code],
  )
  return rows[0]?.is_prepared_alone === true
}

export async function writePreparedAlone(tx: Tx, code: string, isAlone: boolean): Promise<void> {
  await tx.query('update provider_connections set is_prepared_alone = $2 where code = $1', [code, isAlone])
}
