import type { Queryable } from '../../db/database.ts'

const LIST_NUMBERS = {
  name: 'resellers_list_accounts',
  text: 'select id, account from resellers where id = any ($1::bigint[])',
}

export async function listAccountNumbers(
  connection: Queryable,
  ids: readonly bigint[],
): Promise<{ id: bigint; account: string }[]> {
  const { rows } = await connection.query<{ id: bigint; account: string }>(LIST_NUMBERS, [ids])
  return rows
}
