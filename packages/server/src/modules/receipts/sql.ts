import type { JWK } from 'jose'
import type { Queryable, Tx } from '../../db/database.ts'
import type { ReceiptHeader } from './types.ts'

export type ReceiptRow = {
  reseller_id: bigint
  payment_id: bigint
  number: string
  token: string
  salt: Buffer
  code: number
  kid: string
  jws: string
}

const COLUMNS = 'reseller_id, payment_id, number, token, salt, code, kid, jws'

export async function findReceiptRow(
  connection: Queryable,
  resellerId: bigint,
  paymentId: bigint,
): Promise<ReceiptRow | undefined> {
  const { rows } = await connection.query<ReceiptRow>(
    `select ${COLUMNS} from receipts where reseller_id = $1 and payment_id = $2`,
    [resellerId, paymentId],
  )
  return rows[0]
}

/** Finds the receipt of a link, whosever it is: the link itself is the permission. */
export async function findRowByToken(connection: Queryable, token: string): Promise<ReceiptRow | undefined> {
  const { rows } = await connection.query<ReceiptRow>(`select ${COLUMNS} from receipts where token = $1`, [
    token,
  ])
  return rows[0]
}

/** Returns false if the payment has a receipt already, or another receipt has the number. */
export async function insertReceiptRow(tx: Tx, row: ReceiptRow): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into receipts (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
    [row.reseller_id, row.payment_id, row.number, row.token, row.salt, row.code, row.kid, row.jws],
  )
  return rowCount === 1
}

export async function replaceSignature(
  tx: Tx,
  { reseller_id: resellerId, payment_id: paymentId, code, kid, jws }: Omit<ReceiptRow, 'salt'>,
): Promise<void> {
  await tx.query(
    'update receipts set code = $3, kid = $4, jws = $5 where reseller_id = $1 and payment_id = $2',
    [resellerId, paymentId, code, kid, jws],
  )
}

// ── Headers ──

/** Keeps a shop's header from changing until the transaction ends. */
export async function lockHeader(tx: Tx, resellerId: bigint): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('receipt_header', $1) # lock_mark())`, [
    resellerId,
  ])
}

type HeaderRow = {
  name: string
  address: string
  registration_number: string
  footer: string
  logo: Buffer | null
}

export async function findHeaderRow(
  connection: Queryable,
  resellerId: bigint,
): Promise<ReceiptHeader | undefined> {
  const { rows } = await connection.query<HeaderRow>(
    'select name, address, registration_number, footer, logo from receipt_headers where reseller_id = $1',
    [resellerId],
  )
  const [row] = rows
  if (row === undefined) return undefined
  const { registration_number: registrationNumber, ...header } = row
  return { ...header, registrationNumber }
}

export async function upsertHeader(
  tx: Tx,
  resellerId: bigint,
  { name, address, registrationNumber, footer, logo }: ReceiptHeader,
): Promise<void> {
  await tx.query(
    `insert into receipt_headers (reseller_id, name, address, registration_number, footer, logo, updated_at)
     values ($1, $2, $3, $4, $5, $6, clock_timestamp())
     on conflict (reseller_id) do update
        set name = $2, address = $3, registration_number = $4, footer = $5, logo = $6,
            updated_at = excluded.updated_at`,
    [resellerId, name, address, registrationNumber, footer, logo],
  )
}

// ── Keys ──

export async function keepKey(tx: Tx, kid: string, publicJwk: JWK): Promise<void> {
  await tx.query('insert into receipt_keys (kid, public_jwk) values ($1, $2) on conflict do nothing', [
    kid,
    JSON.stringify(publicJwk),
  ])
}

export async function listKeys(connection: Queryable): Promise<JWK[]> {
  const { rows } = await connection.query<{ public_jwk: JWK }>(
    'select public_jwk from receipt_keys order by kid limit 1000',
  )
  return rows.map((row) => row.public_jwk)
}
