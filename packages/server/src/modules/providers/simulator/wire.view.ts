import { assert, invalidFields } from '../../../lib/errors.ts'
import { formatMoney, parseMoney } from '../../../lib/money.ts'
import type {
  BillRequest,
  DynamicOption,
  DynamicOptionsRequest,
  Order,
  Outcome,
  VoidAnswer,
} from '../port/types.ts'
import type { BookEntry, Fault, FaultTarget, Fulfilment, FulfilmentOf, SimulatedOrder } from './types.ts'
import { CALLBACK_FAULT_KINDS } from './types.ts'
import type {
  BillBody,
  BookLine,
  CallbackBody,
  FaultBody,
  OptionsAnswerBody,
  OptionsBody,
  OrderAnswer,
  OrderBody,
  VoidAnswerBody,
} from './wire.schemas.ts'

// Conversions between the simulator's wire format and the port's values; both directions, because both ends are ours.

export function orderBodyOf(order: Omit<SimulatedOrder, 'fulfilment'>, fulfilment: Fulfilment): OrderBody {
  return {
    reference: order.reference,
    product: order.productCode,
    account: order.account,
    amount: formatMoney(order.amount),
    face_value: formatMoney(order.faceValue),
    subproduct_code: order.subproductCode,
    biller_code: order.billerCode,
    ref2: order.ref2,
    fulfilment,
  }
}

/** Reads a body that was already checked. */
export function orderOfBody(body: OrderBody, fulfilmentOf: FulfilmentOf): SimulatedOrder {
  return {
    reference: body.reference,
    productCode: body.product,
    account: body.account,
    amount: moneyOf(body.amount),
    faceValue: moneyOf(body.face_value ?? body.amount),
    subproductCode: body.subproduct_code ?? null,
    billerCode: body.biller_code ?? null,
    ref2: body.ref2 ?? null,
    fulfilment: body.fulfilment ?? fulfilmentOf(body.product),
  }
}

/** Reads a text that the schema accepted. */
export function moneyOf(text: string): Order['amount'] {
  const amount = parseMoney(text)
  assert(amount !== undefined, 'the schema admits plain decimals alone')
  return amount
}

/** Returns undefined when the outcome is unknown. */
export function orderAnswerOf(outcome: Outcome): OrderAnswer | undefined {
  switch (outcome.kind) {
    case 'succeeded': {
      const { serialNumber, pin, expiry, voucherLink, note } = outcome.output
      const output = { serial_number: serialNumber, pin, expiry, voucher_link: voucherLink, note }
      return { status: 'succeeded', output }
    }
    case 'failed':
      return { status: 'failed', code: outcome.code, reason: outcome.reason }
    case 'pending':
      return { status: 'pending' }
    case 'unknown':
      return undefined
  }
}

export function outcomeOfAnswer(answer: OrderAnswer): Outcome {
  switch (answer.status) {
    case 'succeeded': {
      const { serial_number, pin, expiry, voucher_link, note } = answer.output
      const output = { serialNumber: serial_number, pin, expiry, voucherLink: voucher_link, note }
      return { kind: 'succeeded', output }
    }
    case 'failed':
      return { kind: 'failed', code: answer.code, reason: answer.reason }
    case 'pending':
      return { kind: 'pending' }
  }
}

/** Returns undefined when the answer is unknown. */
export function voidBodyOf(answer: VoidAnswer): VoidAnswerBody | undefined {
  switch (answer.kind) {
    case 'refused':
      return { status: 'refused', reason: answer.reason }
    case 'approved':
    case 'pending':
      return { status: answer.kind }
    case 'unknown':
      return undefined
  }
}

export function voidOfBody(body: VoidAnswerBody): VoidAnswer {
  return body.status === 'refused' ? { kind: 'refused', reason: body.reason } : { kind: body.status }
}

export function bookLineOf(entry: BookEntry, status: Outcome['kind']): BookLine {
  return {
    reference: entry.order.reference,
    product: entry.order.productCode,
    account: entry.order.account,
    amount: formatMoney(entry.order.amount),
    status,
    acted_at: entry.receivedAt.toISOString(),
    times_received: entry.timesReceived,
    voided_at: entry.voidedAt?.toISOString() ?? null,
  }
}

const DELAY_MS = 1_000

/** Throws when the fault cannot hit such requests. */
export function faultOfBody(body: FaultBody): Fault {
  return {
    kind: body.kind,
    target: targetOf(body),
    remaining: body.count ?? Number.POSITIVE_INFINITY,
    account: body.matching_account ?? null,
    delayMs: body.delay_ms ?? DELAY_MS,
    callbackUrl: body.callback_url ?? null,
  }
}

function targetOf({ kind, on, callback_url }: FaultBody): FaultTarget {
  const isOfCallbacks = CALLBACK_FAULT_KINDS.some((each) => each === kind)
  const target = on ?? (isOfCallbacks ? 'callback' : kind === 'outage' ? 'all' : 'submit')
  if (kind !== 'none' && isOfCallbacks !== (target === 'callback')) {
    throw invalidFields({ on: [`The fault ${kind} cannot happen at ${target}.`] })
  }
  if (callback_url !== undefined && target !== 'callback') {
    throw invalidFields({ callback_url: ['Only a fault of callbacks has an address.'] })
  }
  return target
}

export function faultBodyOf(fault: Fault): FaultBody {
  return {
    kind: fault.kind,
    on: fault.target,
    ...(Number.isFinite(fault.remaining) && { count: fault.remaining }),
    ...(fault.account !== null && { matching_account: fault.account }),
    ...(fault.callbackUrl !== null && { callback_url: fault.callbackUrl }),
    delay_ms: fault.delayMs,
  }
}

// ── Bills, options, callbacks ──

export function billBodyOf(request: BillRequest): BillBody {
  return {
    product: request.productCode,
    account: request.account,
    biller_code: request.billerCode,
    ref2: request.ref2,
    amount: request.amount === null ? null : formatMoney(request.amount),
  }
}

export function billRequestOf(body: BillBody): BillRequest {
  return {
    productCode: body.product,
    account: body.account,
    billerCode: body.biller_code ?? null,
    ref2: body.ref2 ?? null,
    amount: body.amount === null || body.amount === undefined ? null : moneyOf(body.amount),
  }
}

export function optionsBodyOf(request: DynamicOptionsRequest): OptionsBody {
  return { product: request.productCode, field: request.fieldId, account: request.accountNumber }
}

export function optionsRequestOf(body: OptionsBody): DynamicOptionsRequest {
  return { productCode: body.product, fieldId: body.field, accountNumber: body.account }
}

export function optionsAnswerOf(options: readonly DynamicOption[]): OptionsAnswerBody {
  return {
    options: options.map(({ accountNumber, denomination, features, ...rest }) => ({
      ...rest,
      account: accountNumber,
      denomination: denomination === null ? null : formatMoney(denomination),
      features: features === null ? null : [...features],
    })),
  }
}

export function optionsOfAnswer({ options }: OptionsAnswerBody): DynamicOption[] {
  return options.map(({ account, denomination, ...rest }) => ({
    ...rest,
    accountNumber: account,
    denomination: denomination === null ? null : moneyOf(denomination),
  }))
}

/** Returns undefined when the outcome is unknown. */
export function callbackBodyOf(
  id: string,
  order: Pick<SimulatedOrder, 'reference' | 'amount'>,
  outcome: Outcome,
): CallbackBody | undefined {
  const answer = orderAnswerOf(outcome)
  if (answer === undefined) return undefined
  return { id, reference: order.reference, amount: formatMoney(order.amount), ...answer }
}
