import { randomBytes } from 'node:crypto'
import type { JWK } from 'jose'
import { compactVerify, importJWK } from 'jose'
import type { Database, Queryable } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import { assert, RequestError } from '../../lib/errors.ts'
import { parseId } from '../../lib/input/ids.ts'
import type { Directory, DirectoryReseller } from '../accounts/types.ts'
import { ALGORITHM } from '../auth/tokens.rules.ts'
import type { Tokens } from '../auth/tokens.types.ts'
import { findPaymentById } from '../payments/core/records.service.ts'
import type { Payment } from '../payments/core/types.ts'
import { statusOf } from '../payments/core/view.ts'
import { readEntriesOfPayment } from '../wallet/statement/entries.service.ts'
import { claimsOf, hasReceipt, isSame, isToken, newNumber, newToken, RECEIPT_TYPE } from './rules.ts'
import type { ReceiptRow } from './sql.ts'
import {
  findHeaderRow,
  findReceiptRow,
  findRowByToken,
  insertReceiptRow,
  keepKey,
  listKeys,
  replaceSignature,
} from './sql.ts'
import type { Receipt, ReceiptClaims, ReceiptHeader, VerifiedReceipt } from './types.ts'
import { NO_HEADER } from './types.ts'

export type Receipts = {
  /** Answers 404 for what is no payment of the reseller, and 409 for one that has not succeeded. */
  get(reseller: Pick<DirectoryReseller, 'id' | 'name'>, transactionId: string): Promise<Receipt>
  /** Finds the receipt of a link; undefined: there is none. */
  find(token: string): Promise<VerifiedReceipt | undefined>
  /** Public keys of all receipts that were ever signed, as they were some seconds ago. */
  keys(): Promise<readonly JWK[]>
}

export type ReceiptsSettings = {
  readonly database: Database
  readonly vault: Vault
  readonly directory: Pick<Directory, 'findReseller'>
  readonly tokens: () => Pick<Tokens, 'signDocument'>
}

/** Receipts that could not be numbered: the number was taken. Chance makes two of them in a row impossible. */
const TRIES = 5
/** Anybody may ask for the keys, so they are read this often at most. */
const KEYS_AGE_MAX_MS = 30_000

export function createReceipts(settings: ReceiptsSettings): Receipts {
  const { database, vault, directory } = settings
  let keys: { readonly read: Promise<JWK[]>; readonly atMs: number } | undefined
  return {
    async get(reseller, transactionId) {
      const id = parseId(transactionId)
      const payment = id === undefined ? undefined : await findPaymentById(database, vault, reseller.id, id)
      if (payment === undefined) throw unknown()
      if (!hasReceipt(payment.code)) throw unpaid(payment)
      const entry = await entryOf(database, payment)
      const row = await keep(settings, payment, entry)
      return toReceipt(row, payment, entry, reseller.name)
    },
    async find(token) {
      const row = isToken(token) ? await findRowByToken(database, token) : undefined
      if (row === undefined) return undefined
      const payment = await findPaymentById(database, vault, row.reseller_id, row.payment_id)
      assert(payment !== undefined, 'payments stay')
      const entry = await entryOf(database, payment)
      const receipt = toReceipt(row, payment, entry, directory.findReseller(row.reseller_id)?.name ?? '')
      const header = await getReceiptHeader(database, row.reseller_id)
      return { ...receipt, header, isGenuine: await isGenuine(await listKeys(database), row, receipt) }
    },
    keys() {
      const nowMs = performance.now()
      if (keys === undefined || nowMs - keys.atMs > KEYS_AGE_MAX_MS) {
        keys = { read: listKeys(database), atMs: nowMs }
        keys.read.catch(() => {
          keys = undefined
        })
      }
      return keys.read
    },
  }
}

async function entryOf(database: Database, payment: Payment): Promise<bigint> {
  const debit = (await readEntriesOfPayment(database, payment)).find(({ kind }) => kind === 'payment')
  assert(debit !== undefined, 'what was delivered was taken from the wallet')
  return debit.sequence
}

/** Reads what stands on every receipt of a shop. */
export async function getReceiptHeader(connection: Queryable, resellerId: bigint): Promise<ReceiptHeader> {
  return (await findHeaderRow(connection, resellerId)) ?? NO_HEADER
}

/** Returns the receipt of a payment, made or signed anew where it must be. Its number and its link stay. */
async function keep(settings: ReceiptsSettings, payment: Payment, entry: bigint): Promise<ReceiptRow> {
  const { database } = settings
  for (let tries = 0; tries < TRIES; tries += 1) {
    const row = await findReceiptRow(database, payment.resellerId, payment.id)
    if (row?.code === payment.code) return row
    const salt = row?.salt ?? randomBytes(32)
    const claims = claimsIn(payment, entry, salt)
    const signed = await settings.tokens().signDocument(RECEIPT_TYPE, claims)
    const next: ReceiptRow = {
      reseller_id: payment.resellerId,
      payment_id: payment.id,
      number: row?.number ?? newNumber(),
      token: row?.token ?? newToken(),
      salt,
      code: payment.code,
      kid: signed.kid,
      jws: signed.jws,
    }
    const isKept = await database.transaction(async (tx) => {
      await keepKey(tx, signed.kid, signed.publicJwk)
      if (row === undefined) return insertReceiptRow(tx, next)
      await replaceSignature(tx, next)
      return true
    })
    if (isKept) return next
  }
  throw new Error('no number for a receipt was free')
}

function claimsIn(payment: Payment, entry: bigint, salt: Buffer): ReceiptClaims {
  return claimsOf(payment, statusOf(payment.code), entry, salt)
}

function toReceipt(row: ReceiptRow, payment: Payment, entry: bigint, shop: string): Receipt {
  const { number, token, jws, salt } = row
  return { payment, shop, number, token, jws, claims: claimsIn(payment, entry, salt) }
}

async function isGenuine(keys: readonly JWK[], row: ReceiptRow, { claims }: Receipt): Promise<boolean> {
  const jwk = keys.find(({ kid }) => kid === row.kid)
  if (jwk === undefined) return false
  try {
    const key = await importJWK(jwk, ALGORITHM)
    const { payload, protectedHeader } = await compactVerify(row.jws, key, { algorithms: [ALGORITHM] })
    return protectedHeader.typ === RECEIPT_TYPE && isSame(JSON.parse(Buffer.from(payload).toString()), claims)
  } catch {
    return false
  }
}

function unknown(): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText: 'There is no such transaction.' })
}

function unpaid({ code }: Payment): RequestError {
  return new RequestError({
    status: 409,
    code: 'not_succeeded',
    publicText: `A receipt is for a payment that has succeeded. This one is ${statusOf(code)}.`,
  })
}
