import type { FailureCode } from '../../../lib/failure-codes.ts'
import type { Guidance } from '../../../lib/guidance.ts'
import { REJECTION_GUIDES } from './rejections.rules.ts'
import { stateOf } from './states.rules.ts'
import type { PaymentCode, RejectionCode } from './types.ts'

/** Help for a code of a payment that exists. */
export type PaymentGuide = Guidance & {
  /** `data.remarks`; null: the caller's own remarks, or the provider's own words. */
  readonly remarks: string | null
}

const PROVIDER_SAYS = "The provider's own words are in `remarks`."

/** Every code of a payment that exists. The compiler asks for a new one. */
export const PAYMENT_GUIDES: Readonly<Record<PaymentCode, PaymentGuide>> = {
  0: {
    remarks: null,
    cause: 'The payment was taken and its cost is off the wallet. It has not been sent on yet.',
    remedy: 'Send the same body again after 5 to 10 seconds, or wait for the callback.',
    retry: 'poll',
  },
  1: {
    remarks: null,
    cause: 'The payment was sent on, and the provider has not given a final answer.',
    remedy:
      'Send the same body again every 5 to 10 seconds, or wait for the callback. Give nothing back yet.',
    retry: 'poll',
  },
  20: {
    remarks: null,
    cause: 'The payment is done.',
    remedy: 'Give your customer `sn`, `pin` or `voucherlink`, where there is one.',
    retry: 'not_needed',
  },
  45: {
    remarks: 'Out_Of_Stock',
    cause: 'Nothing was left when the order arrived.',
    remedy: 'Offer another denomination, with a new refid.',
    retry: 'new_refid',
  },
  47: {
    remarks: 'Service_Unavailable',
    cause: 'No provider could fulfil it, and nothing was done.',
    remedy: 'Send it as a new payment, with a new refid.',
    retry: 'new_refid',
  },
  48: {
    remarks: 'Rejected by the provider',
    cause: 'The provider refused it without a reason of its own.',
    remedy: 'Have account and amount checked before a new payment.',
    retry: 'new_refid',
  },
  52: {
    remarks: null,
    cause: `The provider does not know the account or number. ${PROVIDER_SAYS}`,
    remedy: 'Have the number checked by the customer before a new payment.',
    retry: 'new_refid',
  },
  53: {
    remarks: 'Refund',
    cause: 'The payment was voided, and its cost is back in the wallet.',
    remedy: 'Give your customer the money back.',
    retry: 'never',
  },
  54: {
    remarks: null,
    cause: `The account was just paid for, or has reached its limit of the day. ${PROVIDER_SAYS}`,
    remedy: 'Do not repeat it today.',
    retry: 'never',
  },
  55: {
    remarks: null,
    cause: `The provider gave the order up because it took too long. It is certain that nothing was done. ${PROVIDER_SAYS}`,
    remedy: 'Send it as a new payment, with a new refid.',
    retry: 'new_refid',
  },
  56: {
    remarks: null,
    cause: `The provider does not serve the account. ${PROVIDER_SAYS}`,
    remedy: 'Do not send it again.',
    retry: 'never',
  },
  57: {
    remarks: null,
    cause: `The number is not eligible: it may have been activated before. ${PROVIDER_SAYS}`,
    remedy: 'Offer another product for this number, with a new refid.',
    retry: 'never',
  },
  61: {
    remarks: 'Invalid_Denomination',
    cause: 'The provider does not take this amount.',
    remedy: 'Refresh the options, and offer another amount with a new refid.',
    retry: 'new_refid',
  },
  62: {
    remarks: null,
    cause: `The payee did not pass the provider's check of identity. ${PROVIDER_SAYS}`,
    remedy: 'Final: do not send it again.',
    retry: 'never',
  },
}

/** Returns the remarks of ours for a failure; undefined: the provider's own words are shown. */
export function publicReason(code: FailureCode): string | undefined {
  return PAYMENT_GUIDES[code].remarks ?? undefined
}

/** Meaning of a code. rejected: nothing exists, and the refid is free. The others describe a payment that exists. */
export type PaymentOutcome = 'rejected' | ReturnType<typeof stateOf>

export type PaymentCodeRow = PaymentGuide & {
  readonly code: PaymentCode | RejectionCode
  readonly outcome: PaymentOutcome
  readonly message: string | null
}

/** Lists every code with its remarks once: rejections, then the codes of payments that exist. */
export function listPaymentCodes(): PaymentCodeRow[] {
  const rejected = new Map<string, PaymentCodeRow>()
  for (const { code, remarks, message, cause, remedy, retry } of Object.values(REJECTION_GUIDES)) {
    const key = `${code} ${remarks}`
    // Two rejections may share their remarks, and differ in the message alone.
    if (rejected.has(key)) continue
    rejected.set(key, { code, remarks, message, cause, remedy, retry, outcome: 'rejected' })
  }
  const existing = Object.entries(PAYMENT_GUIDES).map(([text, guide]): PaymentCodeRow => {
    const code = Number(text) as PaymentCode
    return { code, ...guide, outcome: stateOf(code), message: null }
  })
  return [...rejected.values(), ...existing]
}
