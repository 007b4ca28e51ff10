import { leadsIntoList, path } from './path.rules.ts'
import type { Reader, Seen } from './reading.rules.ts'
import { below, byType, complain, integer, needed, object, oneOf, optional } from './reading.rules.ts'
import type { Outcomes } from './response.rules.ts'
import { decidingPaths, decision, moneyPath, output, outputPaths, paths } from './response.rules.ts'
import { hmacMembers, timestampForm } from './signature.rules.ts'
import { containsUnaltered, headerName, NO_SECRET, secret } from './sources.rules.ts'
import type { CallbackName, Decision, Vocabulary } from './types.ts'

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

/** Lets SHA-1 prove no more than that there is news, which is asked for: it is too weak to settle an order. */
function checkStrong(
  { verification: proof, outcome: decides }: { verification: Verification; outcome: unknown },
  { site }: Seen,
): void {
  if (decides === null || proof.type !== 'hmac' || proof.algorithm !== 'sha1') return
  const message = 'sha1 is too weak for a callback that settles an order: make "outcome" "ask"'
  complain(below(below(site, 'verification'), 'algorithm'), message, 0)
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

const TOLERANCE_SECONDS = 300
const TOLERANCE_SECONDS_MAX = 24 * 3_600

const receivedHeader: Reader<string> = (value, site) => headerName(value, site).toLowerCase()

const receivedTimestamp = object(
  {
    header: needed(receivedHeader, ''),
    form: optional(timestampForm, 'unix'),
    tolerance_seconds: optional(integer(1, TOLERANCE_SECONDS_MAX), TOLERANCE_SECONDS),
  },
  ({ header, form, toleranceSeconds }) => ({ header, form, toleranceMs: 1_000 * toleranceSeconds }),
)

/** Values that a callback's signature can cover; `header.` is followed by a header's name in lower case. */
const SIGNED_WORDS: Vocabulary = { body: 'text', query: 'text', timestamp: 'text', 'header.': 'text' }

const verification = byType(
  {
    hmac: object(
      {
        type: needed(oneOf('hmac'), 'hmac'),
        ...hmacMembers(SIGNED_WORDS, oneOf('sha1', 'sha256', 'sha512')),
        header: needed(receivedHeader, ''),
        timestamp: optional(receivedTimestamp, null),
      },
      (found, { site, has }) => {
        const isTimed = found.payload.some((part) => typeof part !== 'string' && part.name === 'timestamp')
        if (isTimed !== has('timestamp')) {
          const message = isTimed
            ? 'is missing: the payload holds {{timestamp}}'
            : 'proves nothing unless the payload holds {{timestamp}}'
          complain(below(site, 'timestamp'), message, 0)
        }
        return found
      },
    ),
    secret_header: object({
      type: needed(oneOf('secret_header'), 'secret_header'),
      header: needed(receivedHeader, ''),
      secret: needed(secret, NO_SECRET),
    }),
  },
  'secret_header',
)

export type Verification = ReturnType<typeof verification>

const NO_PROOF: Verification = { type: 'secret_header', header: '', secret: NO_SECRET }

/** `canAsk` means that the supplier can be queried about an order, so that a callback may be a mere hint. */
export function callback(canAsk: boolean) {
  return object(
    {
      verification: needed(verification, NO_PROOF),
      content: optional(oneOf('json', 'form', 'query'), 'json'),
      id: optional(path, null),
      reference: needed(path, []),
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
