import type { Queryable } from '../../../db/database.ts'
import type { KeptRequest, NewLoggedRequest, RequestFilter } from './request-log.types.ts'

const INSERT = {
  name: 'request_log_insert',
  text: `insert into request_log (account, id, request_id, method, route, status, duration_ms, address, key_id,
                                  user_id, error, message, skipped, sealed_canonical, refid, payment_id,
                                  code)
         select * from unnest($1::text[], $2::bigint[], $3::uuid[], $4::text[], $5::text[], $6::smallint[],
                              $7::real[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[],
                              $13::integer[], $14::bytea[], $15::text[], $16::bigint[], $17::smallint[])
         on conflict do nothing`,
}

export async function insertRequests(
  connection: Queryable,
  requests: readonly NewLoggedRequest[],
): Promise<void> {
  const column = <T>(read: (request: NewLoggedRequest) => T) => requests.map(read)
  await connection.query(INSERT, [
    column(({ account }) => account),
    column(({ id }) => id),
    column(({ requestId }) => requestId),
    column(({ method }) => method),
    column(({ route }) => route),
    column(({ status }) => status),
    column(({ durationMs }) => durationMs),
    column(({ address }) => address),
    column(({ keyId }) => keyId),
    column(({ userId }) => userId),
    column(({ error }) => error),
    column(({ message }) => message),
    column(({ skipped }) => skipped),
    column(({ sealedCanonical }) => sealedCanonical),
    column(({ refid }) => refid),
    column(({ paymentId }) => paymentId),
    column(({ code }) => code),
  ])
}

type RequestRow = {
  id: bigint
  request_id: string
  method: string
  route: string
  status: number
  duration_ms: number
  address: string
  key_id: string | null
  user_id: string | null
  error: string | null
  message: string | null
  skipped: number
  refid: string | null
  payment_id: bigint | null
  code: number | null
}

const COLUMNS = `id, request_id, method, route, status, duration_ms, address, key_id, user_id, error, message, skipped,
                 refid, payment_id, code`
const STRETCH = 'account = $1 and id >= $2 and id < $3'

// Each list uses the condition of its index, so that no filter reads rows that it leaves out.
const LISTS = {
  all: {
    name: 'request_log_all',
    text: `select ${COLUMNS} from request_log where ${STRETCH} order by id desc limit $4`,
  },
  failed: {
    name: 'request_log_failed',
    text: `select ${COLUMNS} from request_log where ${STRETCH} and status >= 400 order by id desc limit $4`,
  },
  error: {
    name: 'request_log_error',
    text: `select ${COLUMNS} from request_log where ${STRETCH} and error = $5 order by id desc limit $4`,
  },
}

/** Lists the newest first. A request that has an error has failed. */
export async function listRequests(
  connection: Queryable,
  account: string,
  { fromId, untilId, failedOnly, error, limit }: RequestFilter,
): Promise<KeptRequest[]> {
  const values: unknown[] = [account, fromId, untilId, limit]
  const { rows } = await (error !== null
    ? connection.query<RequestRow>(LISTS.error, [...values, error])
    : connection.query<RequestRow>(failedOnly ? LISTS.failed : LISTS.all, values))
  return rows.map(toKept)
}

const FIND = {
  name: 'request_log_find',
  text: `select ${COLUMNS}, sealed_canonical from request_log where account = $1 and id = $2`,
}

export async function findRequest(
  connection: Queryable,
  account: string,
  id: bigint,
): Promise<{ readonly request: KeptRequest; readonly sealedCanonical: Buffer | null } | undefined> {
  const { rows } = await connection.query<RequestRow & { sealed_canonical: Buffer | null }>(FIND, [
    account,
    id,
  ])
  const row = rows[0]
  return row && { request: toKept(row), sealedCanonical: row.sealed_canonical }
}

function toKept(row: RequestRow): KeptRequest {
  return {
    id: row.id,
    at: new Date(Number(row.id >> 20n)),
    requestId: row.request_id,
    method: row.method,
    route: row.route,
    status: row.status,
    durationMs: row.duration_ms,
    address: row.address,
    keyId: row.key_id,
    userId: row.user_id,
    error: row.error,
    message: row.message,
    skipped: row.skipped,
    refid: row.refid,
    paymentId: row.payment_id === null ? null : String(row.payment_id),
    code: row.code,
  }
}

/** Deletes at most `limit` requests before this id. Returns their number. */
export async function deleteRequestsBefore(
  connection: Queryable,
  id: bigint,
  limit: number,
): Promise<number> {
  const { rowCount } = await connection.query(
    `delete from request_log where (account, id) in
       (select account, id from request_log where id < $1 order by id limit $2 for update skip locked)`,
    [id, limit],
  )
  return rowCount
}

export async function insertFirstCalls(
  connection: Queryable,
  calls: ReadonlyMap<string, Date>,
): Promise<void> {
  await connection.query(
    `insert into first_signed_calls (account, at) select * from unnest($1::text[], $2::timestamptz[])
     on conflict do nothing`,
    [[...calls.keys()], [...calls.values()]],
  )
}

export async function findFirstCall(connection: Queryable, account: string): Promise<Date | null> {
  const { rows } = await connection.query<{ at: Date }>(
    'select at from first_signed_calls where account = $1',
    [account],
  )
  return rows[0]?.at ?? null
}
