import type { Queryable } from '../../db/database.ts'
import type { ResellerRow } from './sql.ts'
import { RESELLER, resellerOf } from './sql.ts'
import type { Reseller, ResellerStatus } from './types.ts'

/** null: any. */
export type ResellerSearch = {
  /** The beginning of the account, or a part of the name or of the address, in whatever case. */
  readonly search: string | null
  readonly status: ResellerStatus | null
  readonly priceLevel: string | null
  /** The account at which the page before ended; one that does not exist ends the list. */
  readonly cursor: string | null
  readonly limit: number
}

/** Oldest first. */
export async function searchResellerRows(connection: Queryable, page: ResellerSearch): Promise<Reseller[]> {
  const { rows } = await connection.query<ResellerRow>(
    `select ${RESELLER} from resellers
     where ($1::text is null or starts_with(account, $1) or position(lower($1) in lower(name)) > 0
         or position(lower($1) in lower(email)) > 0)
       and ($2::text is null or status = $2)
       and ($3::text is null or price_level = $3)
       and ($4::text is null or id > (select id from resellers where account = $4))
     order by id limit $5`,
    [page.search, page.status, page.priceLevel, page.cursor, page.limit],
  )
  return rows.map(resellerOf)
}
