import { parseMoney } from '../lib/money.ts'
import type { Consent } from '../modules/acts/types.ts'
import { comparisonViewText } from '../modules/margins/comparison.service.ts'
import type { ComparisonView } from '../modules/margins/types.ts'
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

/** Shows the findings of a change that was consented to. */
export function noteFindings(call: Call, comparison: ComparisonView): void {
  if (comparison.findings_total > 0) call.note(comparisonViewText(comparison))
}

export function consentOf(call: Call): Consent {
  const given = call.find('accept-loss')
  const loss = given === undefined ? undefined : parseMoney(given)
  if (given !== undefined && loss === undefined) {
    throw new UsageError('--accept-loss: must be the figure that was shown, such as 120.00')
  }
  return { kind: 'accepted', loss }
}
