import { createHash } from 'node:crypto'
import { RequestError } from '../../lib/errors.ts'
import { formatMoney } from '../../lib/money.ts'
import type { Consent, NeedsSecondPerson, Refused } from '../acts/types.ts'
import { comparisonText, comparisonView } from './comparison.service.ts'
import type { Comparison, ComparisonView } from './types.ts'

/** One operator who stops orders to a supplier: this never waits for a second person, but must be confirmed. */
export type Stopping = { readonly isAccepted: boolean }

/** Part of the log's line: the loss that one person accepted without a second one. */
export function acceptedBy(
  { kind }: Consent,
  comparison: Comparison,
  stopping?: Stopping,
): { readonly accepted?: ComparisonView } {
  const isAlone = kind === 'accepted' || (kind === 'alone' && stopping !== undefined)
  return isAlone && comparison.findings.length > 0 ? { accepted: comparisonView(comparison) } : {}
}

/**
 * Returns why the consent is not enough for what was found; undefined: it is. `change` is everything that it changes.
 * The caller returns it from its act, which undoes the change.
 */
export function missingConsent(
  comparison: Comparison,
  change: unknown,
  consent: Consent,
  stopping?: Stopping,
): NeedsSecondPerson | Refused | undefined {
  const { findings, loss } = comparison
  switch (consent.kind) {
    case 'none needed':
      return undefined
    case 'approved':
      return sealOf(comparison, change) === consent.seal ? undefined : { refuse: changedMeanwhile() }
    case 'accepted':
      return findings.length === 0 || consent.loss === loss ? undefined : { refuse: needsFigure(comparison) }
    case 'alone':
      if (findings.length === 0) return undefined
      if (stopping === undefined || findings.some(({ kind }) => kind !== 'below_cost')) {
        return { ask: secondPersonFor(comparison, change) }
      }
      return stopping.isAccepted ? undefined : { refuse: needsAcceptance(comparison) }
    default:
      return consent satisfies never
  }
}

/**
 * Returns the seal that binds an approval to what was shown: the values before and after. Losses are left out,
 * because sales continue meanwhile.
 */
export function sealOf({ findings }: Comparison, change: unknown): string {
  // Drift findings are left out too: a day later the reference price may be another one. The change holds its
  // values before and after.
  const shown = findings
    .filter(({ kind }) => kind !== 'price_drifted')
    .map(({ loss: _, ...finding }) => finding)
  const text = JSON.stringify({ shown, change }, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  return createHash('sha256').update(text).digest('hex')
}

/** Asks a second person, with what was found. */
export function secondPersonFor(comparison: Comparison, change: unknown): NeedsSecondPerson['ask'] {
  const view = comparisonView(comparison)
  const text = `A second person has to approve this.\n${comparisonText(comparison)}`
  return {
    shown: { loss_last_month: view.loss_last_month, comparison: text, seal: sealOf(comparison, change) },
    view,
  }
}

function changedMeanwhile(): RequestError {
  return new RequestError({
    status: 409,
    code: 'catalogue_changed',
    publicText: 'Prices or routes have changed since this request. Nothing was changed; ask for it again.',
  })
}

function needsAcceptance(comparison: Comparison): RequestError {
  return new RequestError({
    status: 409,
    code: 'loss_not_accepted',
    publicText:
      `Without it the remaining routes charge more than the price.\n${comparisonText(comparison)}\n` +
      'Nothing was changed. To stop orders to it all the same, repeat it with "accept_loss": true.',
    fields: { accept_loss: ['must be true where the remaining routes charge more than the price'] },
  })
}

function needsFigure(comparison: Comparison): RequestError {
  return new RequestError({
    status: 409,
    code: 'second_person_required',
    publicText:
      `${comparisonText(comparison)}\n` +
      `Nothing was changed. If this is meant, repeat the command with --accept-loss ${formatMoney(comparison.loss)}.`,
  })
}
