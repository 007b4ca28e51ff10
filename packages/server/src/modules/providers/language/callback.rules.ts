import { leadsIntoList, path } from './path.rules.ts'
import type { Reader, Seen } from './reading.rules.ts'
import { below, complain, needed, object, oneOf, optional } from './reading.rules.ts'
import type { Outcomes } from './response.rules.ts'
import { decidingPaths, decision, moneyPath, output, outputPaths, paths } from './response.rules.ts'
import { containsUnaltered } from './sources.rules.ts'
import type { CallbackName, Decision } from './types.ts'
import type { Verification } from './verification.rules.ts'
import { NO_PROOF, verification, weaknessOf } from './verification.rules.ts'

// Reads the part of a configuration about callbacks, which the supplier sends by itself.

const CALLBACK_OUTCOMES: Outcomes<CallbackName> = {
  names: ['succeeded', 'failed', 'pending'],
  needed: ['succeeded'],
  mayBeAssumed: ['failed', 'pending'],
}

/** Checks that the signature covers the part of the request that is read: anybody can write an unsigned part. */
function checkProven({ verification: proof, content }: Proven, { site }: Seen): void {
  const name = content === 'query' ? 'query' : 'body'
  if (proof.type === 'hmac' && proof.payload.length > 0 && !containsUnaltered(proof.payload, name)) {
    const message = `must hold {{${name}}} as it is: that is what is read`
    complain(below(below(site, 'verification'), 'payload'), message, 0)
  }
}

/** Lets a weak proof prove no more than that there is news, which is asked for: it settles no order. */
function checkStrong(
  { verification: proof, outcome: decides }: { verification: Verification; outcome: unknown },
  { site }: Seen,
): void {
  const weakness = weaknessOf(proof)
  if (decides === null || weakness === undefined) return
  const message = `${weakness.name} is too weak for a callback that settles an order: make "outcome" "ask"`
  complain(below(below(site, 'verification'), weakness.member), message, 0)
}

type Proven = { readonly verification: Verification; readonly content: 'json' | 'form' | 'query' }

function outcome(canAsk: boolean): Reader<Decision<CallbackName> | null> {
  const readDecision = decision(CALLBACK_OUTCOMES)
  return (value, site) => {
    if (value !== 'ask') return readDecision(value, site)
    return canAsk
      ? null
      : complain(site, 'must be a table: without "query" the supplier cannot be asked', null)
  }
}

/** `canAsk` means that the supplier can be queried about an order, so that a callback may be a mere hint. */
export function callback(canAsk: boolean) {
  return object(
    {
      verification: needed(verification, NO_PROOF),
      content: optional(oneOf('json', 'form', 'query'), 'json'),
      id: optional(path, null),
      reference: needed(paths, []),
      outcome: optional(outcome(canAsk), null),
      reason: optional(paths, []),
      output,
      amount: optional(moneyPath, null),
    },
    (found, seen) => {
      checkProven(found, seen)
      checkStrong(found, seen)
      if (!seen.has('outcome') && !canAsk) outcome(canAsk)('ask', below(seen.site, 'outcome'))
      const paths =
        found.outcome === null ? [] : [...decidingPaths(found.outcome), ...outputPaths(found.output)]
      return { ...found, positions: paths.filter(leadsIntoList) }
    },
  )
}

export type CallbackConfig = ReturnType<ReturnType<typeof callback>>
