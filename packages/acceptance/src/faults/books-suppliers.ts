import type { OperatorStep, PaymentRow, Records, SupplierLine, Violation } from './records.ts'
import { groupBy, isGivenBack, SUCCEEDED, VOIDED } from './records.ts'

// Checks of the suppliers' books against ours.

const REFERENCE = /^W(\d+)-\d+$/

function paymentOf({ reference }: SupplierLine): string {
  return REFERENCE.exec(reference)?.[1] ?? ''
}

/** Check: an order that a supplier has belongs to a payment that exists and was debited. */
export function strayOrders({ lines, payments }: Records): Violation[] {
  const known = new Set(payments.map(({ id }) => id))
  return lines
    .filter((line) => !known.has(paymentOf(line)))
    .map(({ supplier, reference }) => ({
      check: 'order-without-payment',
      text: `${supplier} has order ${reference}, whose payment does not exist`,
    }))
}

/** Check: one order at most was fulfilled for a payment, and no reference was received twice. */
export function doubledOrders({ lines, payments }: Records): Violation[] {
  const rows = new Map(payments.map((row) => [row.id, row]))
  return [...groupBy(lines, paymentOf)].flatMap(([id, own]) => {
    const row = rows.get(id)
    const where = { account: row?.account, refid: row?.refid }
    const fulfilled = own.filter(({ status }) => status === 'succeeded')
    const found: Violation[] = []
    if (fulfilled.length > 1) {
      const references = fulfilled
        .map(({ supplier, reference }) => `${reference} at ${supplier}`)
        .join(' and ')
      found.push({ check: 'delivered-twice', text: `payment ${id} was delivered as ${references}`, ...where })
    }
    for (const { reference, supplier, received } of own) {
      if (received <= 1) continue
      const text = `${supplier} received ${reference} ${received} times`
      found.push({ check: 'order-repeated', text, ...where })
    }
    return found
  })
}

/** Lists the payments about which operators took such a step. */
function subjectsOf(steps: readonly OperatorStep[], isMeant: (step: OperatorStep) => boolean): Set<string> {
  return new Set(steps.filter(isMeant).map(({ account, subject }) => `${account} ${subject}`))
}

/**
 * Check: our outcome of a payment is the supplier's. An order that nobody can decide is decided by an operator, and so is
 * a void about which the supplier is not asked.
 */
export function differentOutcomes({ lines, payments, steps }: Records): Violation[] {
  const byPayment = groupBy(lines, paymentOf)
  const decided = subjectsOf(steps, ({ kind }) => kind === 'resolve')
  const voided = subjectsOf(steps, ({ kind, detail }) => kind === 'void' && detail === 'approve')
  return payments.flatMap((row) => {
    const own = byPayment.get(row.id) ?? []
    const found = own.filter(({ status }) => status === 'succeeded')
    const isOpen = own.some(({ status }) => status === 'pending' || status === 'unknown')
    if (isOpen && decided.has(`${row.account} ${row.refid}`)) return []
    return outcomeOf(row, own, found.length, voided.has(`${row.account} ${row.refid}`))
  })
}

function outcomeOf(
  row: PaymentRow,
  own: readonly SupplierLine[],
  delivered: number,
  isVoidedByOperator: boolean,
): Violation[] {
  const { account, refid, id, code } = row
  const say = (check: string, text: string): Violation[] => [{ check, text, account, refid }]
  if (code === SUCCEEDED && delivered === 0) {
    return say('success-undelivered', `payment ${id} succeeded, and no supplier delivered it`)
  }
  const isVoided = own.some((line) => line.isVoided)
  if (code === VOIDED && !isVoided && !isVoidedByOperator)
    return say('void-unapproved', `payment ${id} was voided by us alone`)
  if (code !== VOIDED && isVoided) return say('void-lost', `the supplier voided ${id}, which is ${code} here`)
  if (isGivenBack(code) && code !== VOIDED && delivered > 0) {
    return say('refund-of-delivered', `payment ${id} was delivered and given back (${code})`)
  }
  return []
}

/** Check: no answer of a supplier contradicted a state that was final. */
export function contradictions({ changes, payments }: Records): Violation[] {
  const rows = new Map(payments.map((row) => [row.id, row]))
  return changes
    .filter(({ kind }) => kind === 'contradiction')
    .map(({ account, paymentId, detail }) => ({
      check: 'contradiction',
      text: `payment ${paymentId}: ${detail}`,
      account,
      refid: rows.get(paymentId)?.refid,
    }))
}

/** Check: a void that an operator was told of is done, and one that was refused is not. */
export function wrongDecisions({ steps, payments }: Records): Violation[] {
  const rows = new Map(payments.map((row) => [`${row.account} ${row.refid}`, row]))
  return steps.flatMap(({ kind, told, detail, account, subject: refid }): Violation[] => {
    const code = rows.get(`${account} ${refid}`)?.code
    if (kind !== 'void' || told !== 'done' || (detail === 'approve') === (code === VOIDED)) return []
    const check = detail === 'approve' ? 'void-lost' : 'void-unapproved'
    return [{ check, text: `an operator decided “${detail}”, and the payment is ${code}`, account, refid }]
  })
}

/** Check: a void that was promised is done where the supplier approves it; a payment that nobody asked to void stays. */
export function wrongVoids({ voids, payments }: Records): Violation[] {
  const asked = new Set(voids.map(({ account, refid }) => `${account} ${refid}`))
  return payments
    .filter(({ account, refid, code }) => code === VOIDED && !asked.has(`${account} ${refid}`))
    .map(({ account, refid, id }) => ({
      check: 'void-unasked',
      text: `payment ${id} was voided, and nobody asked for it`,
      account,
      refid,
    }))
}
