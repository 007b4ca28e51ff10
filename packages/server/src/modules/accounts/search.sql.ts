import type { Queryable } from '../../db/database.ts'
import type { ResellerRow } from './sql.ts'
import { RESELLER, resellerOf } from './sql.ts'
import type { Reseller, ResellerStatus } from './types.ts'

/** Filter of a search; null accepts any value. */
export type ResellerSearch = {
  /** Beginning of the account, or a part of the name or of the e-mail address; case is ignored. */
  readonly search: string | null
  readonly status: ResellerStatus | null
  readonly priceLevel: string | null
  /** Account at which the previous page ended. An account that does not exist ends the list. */
  readonly cursor: string | null
  readonly limit: number
}

/** Lists the oldest first. */
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
