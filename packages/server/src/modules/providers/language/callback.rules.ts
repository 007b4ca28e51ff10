import { moneyPath } from './money.rules.ts'
import type { Outcomes } from './outcomes.rules.ts'
import { decidingPaths, decision, verdictsOf } from './outcomes.rules.ts'
import { output, outputPaths } from './output.rules.ts'
import { leadsIntoList, path, paths, places } from './path.rules.ts'
import { ANY } from './paths.rules.ts'
import type { Reader, Seen } from './reading.rules.ts'
import { below, complain, needed, object, oneOf, optional, text } from './reading.rules.ts'
import { containsUnaltered, headerName } from './sources.rules.ts'
import type { CallbackName, Decision, Path } from './types.ts'
import type { Verification } from './verification.rules.ts'
import { NO_PROOF, verification, weaknessOf } from './verification.rules.ts'

// Reads the part of a configuration about callbacks, which the supplier sends by itself.

const CALLBACK_OUTCOMES: Outcomes<CallbackName> = {
  names: ['succeeded', 'failed', 'pending', 'reversed'],
  needed: ['succeeded', 'reversed'],
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

/** Tells whether a callback can settle an order. One that only says that it was taken back moves no money. */
export function settlesOrders(outcome: Decision<CallbackName> | null): boolean {
  return outcome !== null && verdictsOf(outcome).some(({ outcome: name }) => SETTLES.has(name))
}

const SETTLES: ReadonlySet<string> = new Set(['succeeded', 'failed'])

/** Lets a weak proof prove no more than that there is news, which is asked for: it settles no order. */
function checkStrong({ verification: proof, outcome: decides }: Decided, { site }: Seen): void {
  const weakness = weaknessOf(proof)
  if (weakness === undefined || !settlesOrders(decides)) return
  const message = `${weakness.name} is too weak for a callback that settles an order: make "outcome" "ask"`
  complain(below(below(site, 'verification'), weakness.member), message, 0)
}

type Decided = { readonly verification: Verification; readonly outcome: Decision<CallbackName> | null }
type Proven = { readonly verification: Verification; readonly content: 'json' | 'form' | 'query' }

function outcome(canAsk: boolean): Reader<Decision<CallbackName> | null> {
  const readDecision = decision(CALLBACK_OUTCOMES)
  return (value, site) => {
    if (value !== 'ask') {
      const found = readDecision(value, site)
      if (canAsk || settlesOrders(found) || found.table.size === 0) return found
      return complain(
        below(site, 'table'),
        'maps nothing to succeeded, and the supplier cannot be asked',
        found,
      )
    }
    return canAsk
      ? null
      : complain(site, 'must be a table: without "query" the supplier cannot be asked', null)
  }
}

const ANSWER_MAX = 4_000

/** Reads the body of our answer, a JSON value that is sent as it stands. */
const answerText: Reader<string> = (value, site) => {
  const text = JSON.stringify(value)
  if (text.length > ANSWER_MAX) return complain(site, `is longer than ${ANSWER_MAX} characters`, '')
  return text.includes('{{') ? complain(site, 'has no placeholders: it is sent as it stands', '') : text
}

const HEADER = '$header.'

/** Reads where a ping has its word: a path into the content, or a header. */
const pingPlace: Reader<PingPlace> = (value, site) =>
  typeof value === 'string' && value.startsWith(HEADER)
    ? { header: headerName(value.slice(HEADER.length), site).toLowerCase() }
    : { path: path(value, site) }

type PingPlace = { readonly header: string } | { readonly path: Path }

const words: Reader<readonly string[]> = (value, site) => {
  if (!Array.isArray(value) || value.length === 0) return complain(site, 'must be a list of texts', [])
  return value.map((each, at) => text(each, below(site, String(at))))
}

/** Callback about no order, with which the supplier tries our address. */
const ping = object({ path: needed(pingPlace, { path: [] }), values: needed(words, []) })

/** `canAsk` means that the supplier can be queried about an order, so that a callback may be a mere hint. */
export function callback(canAsk: boolean) {
  return object(
    {
      verification: needed(verification, NO_PROOF),
      content: optional(oneOf('json', 'form', 'query'), 'json'),
      id: optional(path, null),
      reference: needed(places, []),
      outcome: optional(outcome(canAsk), null),
      reason: optional(paths, []),
      output,
      amount: optional(moneyPath, null),
      answer: optional(answerText, null),
      ping: optional(ping, null),
    },
    (found, seen) => {
      checkProven(found, seen)
      checkStrong(found, seen)
      if (!seen.has('outcome') && !canAsk) outcome(canAsk)('ask', below(seen.site, 'outcome'))
      const deciding = found.outcome === null ? [] : decidingPaths(found.outcome)
      if (deciding.some((each) => each.includes(ANY))) {
        complain(below(seen.site, 'outcome'), `${ANY} may be the order of somebody else`, 0)
      }
      const brought = found.outcome === null ? [] : outputPaths(found.output)
      const settles = settlesOrders(found.outcome)
      return { ...found, settles, positions: [...deciding, ...brought].filter(leadsIntoList) }
    },
  )
}

export type CallbackConfig = ReturnType<ReturnType<typeof callback>>
