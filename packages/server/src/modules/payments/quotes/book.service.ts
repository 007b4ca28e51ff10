import { randomUUID } from 'node:crypto'
import { createGroupCommit } from '../../../db/commits/group-commit.ts'
import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { withFreshKeys } from '../../../db/vault.ts'
import { RequestError, unavailable } from '../../../lib/errors.ts'
import { parseUuid } from '../../../lib/input/ids.ts'
import { REJECTIONS, worded } from '../core/rejections.rules.ts'
import { openInput, sealInput } from '../core/secrets.service.ts'
import type { Decision, PaymentRequest, Rejection } from '../core/types.ts'
import type { QuoteKey, QuoteRow, WantedPayment } from './sql.ts'
import { findSamePayments, keepQuoteRow, listQuoteRows, sweepQuoteRows } from './sql.ts'
import type { Quote } from './types.ts'

/** Quotes as they are kept, per reseller. */
export type QuoteBook = {
  /** Returns undefined for what is no id of a quote of this reseller. */
  find(resellerId: bigint, id: string): Promise<Quote | undefined>
  keep(resellerId: bigint, request: PaymentRequest, decision: Decision): Promise<Quote>
  /** Says which payment is repeated by one that was refused as its duplicate. */
  repeatedRejection(
    resellerId: bigint,
    payment: WantedPayment,
    windowSeconds: number,
    nowMs: number,
  ): Promise<Rejection>
  sweep(): Promise<void>
}

const OPEN_MAX = 10_000
/** Days for which a quote that nobody paid can still be read. */
const KEPT_DAYS = 30
const SWEEP_STEP = 5_000
const BATCH_MAX = 512
const QUEUE_MAX = 20_000

export type QuoteBookSettings = {
  readonly database: Database
  readonly vault: Vault
  /** Time for which a quote holds its cost. */
  readonly quoteSeconds: number
}

export function createQuoteBook({ database, vault, quoteSeconds }: QuoteBookSettings): QuoteBook {
  // Payments with quotes that arrive together read them in one statement.
  const reads = createGroupCommit<QuoteKey, QuoteRow | undefined>({
    name: 'quotes',
    batchMax: BATCH_MAX,
    queueMax: QUEUE_MAX,
    lanes: 1,
    execute: (keys) => listQuoteRows(database, keys),
  })
  return {
    async find(resellerId, text) {
      const id = parseUuid(text)
      if (id === undefined) return undefined
      const row = await reads.submit({ resellerId, id }).catch(refuse)
      return row && withFreshKeys(vault, () => toQuote(vault, row))
    },
    async keep(resellerId, request, decision) {
      const id = randomUUID()
      const { account, extras } = request
      const { productCode, productName, amount, planCode, faceValue, cost } = decision
      const expiresAt = await keepQuoteRow(database, {
        p_reseller: resellerId,
        p_id: id,
        p_product: productCode,
        p_product_name: productName,
        p_account: account,
        p_amount: amount,
        p_subproduct: extras.subproductCode,
        p_biller: extras.billerCode,
        p_ref2: extras.ref2,
        p_plan: planCode,
        p_sealed_input: sealInput(vault, resellerId, sealedName(id), extras.icNumber),
        p_face_value: faceValue,
        p_cost: cost,
        p_seconds: quoteSeconds,
        p_open_max: OPEN_MAX,
      }).catch(refuse)
      const kept = { productCode, productName, account, amount, extras, planCode, faceValue, cost }
      return { id, resellerId, ...kept, expiresAt, isExpired: false, paymentId: null }
    },
    async repeatedRejection(resellerId, payment, windowSeconds, nowMs) {
      const found = findSamePayments(database, resellerId, [payment], windowSeconds, nowMs)
      const [same] = await found.catch(refuse)
      if (same === undefined) return REJECTIONS.possibleDuplicate
      const { refid, id, seconds } = same
      const text = `The same payment was taken ${seconds} seconds ago: refid ${refid}, transaction ${id}.`
      return worded(REJECTIONS.possibleDuplicate, text)
    },
    async sweep() {
      while ((await sweepQuoteRows(database, SWEEP_STEP, KEPT_DAYS)) === SWEEP_STEP) {
        // Each step is a transaction of its own: nothing waits for the whole sweep.
      }
    },
  }
}

function toQuote(vault: Vault, row: QuoteRow): Quote {
  return {
    id: row.id,
    resellerId: row.reseller_id,
    productCode: row.product_code,
    productName: row.product_name,
    account: row.account,
    amount: row.amount,
    extras: {
      subproductCode: row.subproduct_code,
      billerCode: row.biller_code,
      ref2: row.ref2,
      icNumber: openInput(vault, row.reseller_id, sealedName(row.id), row.sealed_input),
    },
    planCode: row.plan_code,
    faceValue: row.face_value,
    cost: row.cost,
    expiresAt: row.expires_at,
    isExpired: row.is_expired,
    paymentId: row.payment_id,
  }
}

/** Name in the place of a refid, to which the sealed identity number is bound. No refid is as long. */
function sealedName(id: string): string {
  return `the input of the quote with the id ${id}`
}

function refuse(error: unknown): never {
  throw error instanceof RequestError ? error : unavailable('database_unavailable', String(error), error)
}
