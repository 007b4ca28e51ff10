import { hash } from 'node:crypto'
import type {
  DynamicOption,
  DynamicOptionsAnswer,
  DynamicOptionsCapability,
  DynamicOptionsRequest,
} from '../port/types.ts'

const LOAN_TYPES = [
  { code: 'K', label: 'Conventional loan' },
  { code: 'U', label: 'Ujrah financing' },
  { code: 'S', label: 'Skills loan' },
  { code: 'SP', label: 'Special programme' },
] as const

const PLANS = [
  { ringgit: 8n, label: 'Weekend 4 GB', validity: '3 Days', features: ['4 GB', 'Weekends only'] },
  { ringgit: 15n, label: 'Your 10 GB', validity: '15 Days', features: ['10 GB', 'All hours'] },
  { ringgit: 35n, label: 'Your 40 GB', validity: '30 Days', features: ['40 GB', 'All hours', 'Hotspot'] },
] as const

const UNITS_PER_RINGGIT = 10_000n

/** Account endings with which staging shows the ways a provider can fail. */
const NO_OPTIONS = /000$/
const OUTAGE = /999$/
const NEVER_ANSWERS = /998$/
/** Staging's test accounts have the same meaning as for payments; every product accepts them. */
const TEST_ACCOUNT = /^6012345[0-4]\d{3}$/

/** Returns the options of the account; undefined: the request is never answered. */
export function optionsFor(request: DynamicOptionsRequest): DynamicOptionsAnswer | undefined {
  const { accountNumber } = request
  if (TEST_ACCOUNT.test(accountNumber)) return { kind: 'found', options: optionsOf(request) }
  if (NEVER_ANSWERS.test(accountNumber)) return undefined
  if (OUTAGE.test(accountNumber)) return { kind: 'unavailable', reason: 'simulated outage' }
  if (NO_OPTIONS.test(accountNumber)) return { kind: 'found', options: [] }
  return { kind: 'found', options: optionsOf(request) }
}

/**
 * Lists options that exist for one account only. They are computed and not stored: the same account always gets the
 * same ones, so that a form filled in twice shows the same.
 */
export const simulatedOptions: DynamicOptionsCapability = {
  listOptions(request, signal) {
    const answer = optionsFor(request)
    return answer === undefined ? untilAborted(signal) : Promise.resolve(answer)
  },
}

function optionsOf({ fieldId, accountNumber }: DynamicOptionsRequest): DynamicOption[] {
  return fieldId === 'loan_account' ? loansOf(accountNumber) : plansOf()
}

/** Returns several accounts for some identity numbers and at least one for every one. */
function loansOf(identityNumber: string): DynamicOption[] {
  const digest = hash('sha256', `loans of ${identityNumber}`, 'buffer')
  const chosen = LOAN_TYPES.filter((_, index) => index === 0 || (digest.readUInt8(index) & 1) === 1)
  return chosen.map(({ code, label }, index) => ({
    code,
    label,
    description: null,
    accountNumber: String(digest.readUInt32BE(8 + 4 * index)).padStart(10, '0'),
    denomination: null,
    validity: null,
    features: null,
  }))
}

function plansOf(): DynamicOption[] {
  return PLANS.map(({ ringgit, label, validity, features }) => ({
    code: `P${ringgit}`,
    label,
    description: null,
    accountNumber: null,
    denomination: ringgit * UNITS_PER_RINGGIT,
    validity,
    features,
  }))
}

function untilAborted(signal: AbortSignal): Promise<DynamicOptionsAnswer> {
  const answer: DynamicOptionsAnswer = { kind: 'unavailable', reason: 'the provider did not answer in time' }
  if (signal.aborted) return Promise.resolve(answer)
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(answer), { once: true }))
}
