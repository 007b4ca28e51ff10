import { parseMoney } from '../lib/money.ts'
import { comparisonText, comparisonViewText } from '../modules/margins/comparison.service.ts'
import type { Consent } from '../modules/margins/service.ts'
import { acceptedBy, requireConsent } from '../modules/margins/service.ts'
import type { Comparison, ComparisonView } from '../modules/margins/types.ts'
import type { Call, Option } from './command.ts'
import { UsageError } from './command.ts'

// Consent to prices and routes that lose money, or change too much. A person at the machine has the database and its
// keys, and needs no second person. The command shows what the change would have cost, and the person repeats the
// figure.

export const DRY_RUN_OPTION: Option = { help: 'check everything and show the changes; change nothing' }

export const PRICE_OPTIONS: Readonly<Record<string, Option>> = {
  'accept-loss': {
    value: 'RINGGIT',
    help: "the figure that was shown: the loss that the price would have caused on last month's sales",
  },
  'dry-run': DRY_RUN_OPTION,
}

/** Throws, which rolls the change back, unless there is no finding or the figure was repeated. */
export function consentTo(call: Call, comparison: Comparison): void {
  if (comparison.findings.length === 0) return
  requireConsent(comparison, null, consentOf(call))
  call.note(comparisonText(comparison))
}

/** Shows the accepted findings for the log. */
export function acceptedView(call: Call, comparison: Comparison) {
  return acceptedBy(consentOf(call), comparison)
}

/** Shows the findings of a change that was consented to. */
export function noteFindings(call: Call, comparison: ComparisonView | undefined): void {
  if (comparison !== undefined && comparison.findings_total > 0) call.note(comparisonViewText(comparison))
}

export function consentOf(call: Call): Consent {
  if (call.has('dry-run')) return { kind: 'none needed' }
  const given = call.find('accept-loss')
  const loss = given === undefined ? undefined : parseMoney(given)
  if (given !== undefined && loss === undefined) {
    throw new UsageError('--accept-loss: must be the figure that was shown, such as 120.00')
  }
  return { kind: 'accepted', loss }
}
