import { withDeadline } from '../../../outbound/deadline.ts'
import type {
  FulfilledOutput,
  Order,
  Outcome,
  Provider,
  QueryAnswer,
  SubmitOutcome,
  Unknown,
} from '../port/types.ts'
import { UNSENT } from '../port/unsent.service.ts'
import type { Ask, Asked } from './client.service.ts'
import { questionAbout } from './client.service.ts'
import type { HttpConfig } from './config.rules.ts'
import { judge, judgeQuestion } from './mapping.rules.ts'
import { outcomeOf, unknownOf } from './outcome.rules.ts'
import type { Hidden } from './redaction.rules.ts'
import { redact } from './redaction.rules.ts'

// Orders, and the questions about them.

const SERVICE_UNAVAILABLE = 47
/** Share of an order's time for resolving the supplier's host name; the rest is for the exchange. */
const NAME_SHARE = 0.5

type Succeeded = Extract<Outcome, { kind: 'succeeded' }>

export function createOrders(
  config: HttpConfig,
  ask: Ask,
  hidden: Hidden,
): Pick<Provider, 'submit' | 'query'> {
  const { submit, query, fetch } = config
  const complete = completing(config, ask, hidden)
  return {
    submit: (order, signal, notAfterMs) =>
      withDeadline(config.submitMs, signal, async (end): Promise<SubmitOutcome> => {
        const question = {
          ...questionAbout(order, config, submit),
          resolvesWithinMs: config.submitMs * NAME_SHARE,
          notAfterMs,
        }
        const asked = await ask(question, end)
        if (asked.kind === 'not_sent') return asked.isOver === true ? UNSENT : notSent(asked)
        if (asked.kind === 'lost') return unknown(asked.reason)
        const shy = secretsOf(order, hidden, asked)
        const judged = judge(submit.response, asked, question.values)
        if (judged.kind === 'undecided') {
          return redact(unknownOf(judged, 'submit', submit.response, [...shy, order.account]), shy)
        }
        const outcome = outcomeOf(judged.verdict, submit.response, judged.json, config.currency)
        if (outcome.kind === 'reversed') return unknown('an order was taken back at once')
        if (outcome.kind === 'succeeded' && fetch !== null) return complete(order, outcome, end)
        return redact(outcome, shy)
      }),
    async query(order, signal, notAfterMs) {
      if (query === null) return unknown('the supplier cannot be asked')
      return withDeadline(config.queryMs, signal, async (end): Promise<QueryAnswer> => {
        // A question that sends the order again is a sending.
        const question = {
          ...questionAbout(order, config, query),
          ...(query.repeats !== null && { notAfterMs }),
        }
        const asked = await ask(question, end)
        if (asked.kind !== 'answered') return unknown(asked.reason)
        const shy = secretsOf(order, hidden, asked)
        const judged = judgeQuestion(query.response, asked, question.values)
        if (judged.kind === 'undecided') {
          return redact(unknownOf(judged, 'query', query.response, [...shy, order.account]), shy)
        }
        const { verdict } = judged
        const { outcome: name } = verdict
        if (name === 'not_found') return { kind: 'not_found' }
        const outcome = outcomeOf({ ...verdict, outcome: name }, query.response, judged.json, config.currency)
        if (outcome.kind === 'succeeded' && fetch !== null) return complete(order, outcome, end)
        return redact(outcome, shy)
      })
    },
  }
}

/** Returns what makes a success whole, by the second call that brings the rest of its output. */
function completing(config: HttpConfig, ask: Ask, hidden: Hidden) {
  const { fetch } = config
  return async (order: Order, first: Succeeded, signal: AbortSignal): Promise<Outcome> => {
    const supplierId = first.supplierId ?? order.supplierId ?? undefined
    const id = supplierId === undefined ? {} : { supplierId }
    const waiting: Outcome = { kind: 'pending', ...id }
    if (fetch === null) return first
    const question = questionAbout({ ...order, ...id }, config, fetch)
    const asked = await ask(question, signal)
    if (asked.kind !== 'answered') return waiting
    const shy = secretsOf(order, hidden, asked)
    const judged = judgeQuestion(fetch.response, asked, question.values)
    if (judged.kind === 'undecided') {
      const answer = unknownOf(judged, 'fetch', fetch.response, [...shy, order.account])
      return answer.unmapped === undefined ? waiting : redact({ ...answer, ...id }, shy)
    }
    const second = outcomeOf(judged.verdict, fetch.response, judged.json, config.currency)
    return second.kind === 'succeeded' ? { ...first, ...second, ...id, output: both(first, second) } : waiting
  }
}

/** Combines the output of two answers; what the second one has counts. */
function both({ output: first }: Succeeded, { output: second }: Succeeded): FulfilledOutput {
  const found = Object.entries(second).filter(([, value]) => value !== '')
  return { ...first, ...Object.fromEntries(found) }
}

function secretsOf(
  { icNumber }: Order,
  hidden: Hidden,
  { made }: Extract<Asked, { kind: 'answered' }>,
): readonly string[] {
  return [...hidden(), ...made, ...(icNumber === null ? [] : [icNumber])]
}

function unknown(reason: string): Unknown {
  return { kind: 'unknown', reason }
}

function notSent({ reason, code }: Extract<Asked, { kind: 'not_sent' }>): SubmitOutcome {
  return { kind: 'not_acted', code: code ?? SERVICE_UNAVAILABLE, reason }
}
