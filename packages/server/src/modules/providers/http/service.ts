import { withDeadline } from '../../../outbound/deadline.ts'
import type { Outbound } from '../../../outbound/types.ts'
import type { SecretReference } from '../language/types.ts'
import type { Order, Outcome, Provider, SubmitOutcome } from '../port/types.ts'
import { UNSENT } from '../port/unsent.service.ts'
import { createAuthentication } from './auth.service.ts'
import { readCallback } from './callback.rules.ts'
import { createCapabilities } from './capabilities.service.ts'
import type { Ask } from './client.service.ts'
import { createClient, questionAbout } from './client.service.ts'
import type { HttpConfig } from './config.rules.ts'
import { judge, judgeQuestion } from './mapping.rules.ts'
import { outcomeOf, unknownOf } from './outcome.rules.ts'
import type { Hidden } from './redaction.rules.ts'
import { redact, redactCallback } from './redaction.rules.ts'

export type HttpProviderSettings = {
  code: string
  /** Configuration as `parseHttpConfig` read it. */
  config: HttpConfig
  /** Values by the names that the configuration uses. */
  secrets: Readonly<Record<string, string>>
  outbound: Outbound
  nowMs?: () => number
}

/** Margin that lets the provider's own deadline pass first: it knows whether anything was sent, its caller does not. */
const DEADLINE_MARGIN_MS = 250
/** Connections beside those for orders, so that a supplier whose orders hang can still be queried about them. */
const QUESTION_CONNECTIONS = 16
const SERVICE_UNAVAILABLE = 47
/** Share of an order's time for resolving the supplier's host name; the rest is for the exchange. */
const NAME_SHARE = 0.5

/** Creates a provider for a supplier over HTTP and JSON, described by its configuration alone. */
export function createHttpProvider(settings: HttpProviderSettings): Provider {
  const { code, config, secrets, outbound, nowMs = Date.now } = settings
  const secretOf = (reference: string | SecretReference): string => {
    if (typeof reference === 'string') return reference
    const value = Object.hasOwn(secrets, reference.secret) ? secrets[reference.secret] : undefined
    if (value === undefined) throw new Error(`the provider ${code} has no secret ${reference.secret}`)
    return value
  }
  const connectionsMax = config.concurrencyMax + QUESTION_CONNECTIONS
  const { queryMs: tokenTimeoutMs, callback } = config
  const authentication = createAuthentication({
    auth: config.auth,
    secretOf,
    outbound,
    connectionsMax,
    nowMs,
    tokenTimeoutMs,
  })
  const ask = createClient({ config, secretOf, authentication, outbound, connectionsMax, nowMs })
  const hidden = () => [...Object.values(secrets), ...authentication.secrets()]
  return {
    code,
    concurrencyMax: config.concurrencyMax,
    ratePerSecond: config.ratePerSecond,
    reservesStock: false,
    submitTimeoutMs: config.submitMs + DEADLINE_MARGIN_MS,
    queryTimeoutMs: config.queryMs + DEADLINE_MARGIN_MS,
    canBeAsked: config.query !== null,
    notFoundProvesAfterMs: config.notFoundProvesAfterMs,
    repeatsReference: config.repeatsReference,
    ...createOrders(config, ask, hidden),
    ...createCapabilities(config, ask, hidden),
    ...(callback !== null && {
      callbacks: {
        readCallback: (request, atMs) =>
          redactCallback(readCallback(callback, secretOf, request, atMs), hidden()),
      },
    }),
  }
}

function createOrders(config: HttpConfig, ask: Ask, hidden: Hidden): Pick<Provider, 'submit' | 'query'> {
  const secretsOf = ({ icNumber }: Order, made: readonly string[]) => [
    ...hidden(),
    ...made,
    ...(icNumber === null ? [] : [icNumber]),
  ]
  const { submit, query } = config
  return {
    async submit(order, signal, notAfterMs) {
      const question = {
        ...questionAbout(order, config, submit),
        resolvesWithinMs: config.submitMs * NAME_SHARE,
        notAfterMs,
      }
      const asked = await withDeadline(config.submitMs, signal, (end) => ask(question, end))
      if (asked.kind === 'not_sent' && asked.isOver === true) return UNSENT
      if (asked.kind === 'not_sent') return notActed(asked.reason, asked.code)
      if (asked.kind === 'lost') return unknown(asked.reason)
      const judged = judge(submit.response, asked, question.values)
      if (judged.kind === 'undecided') return redact(unknownOf(judged), secretsOf(order, asked.made))
      const { verdict } = judged
      const { outcome, code, reason } = verdict
      if (outcome === 'not_acted') return notActed(reason ?? 'the supplier did not take it', code)
      return redact(
        outcomeOf({ ...verdict, outcome }, submit.response, judged.json),
        secretsOf(order, asked.made),
      )
    },
    async query(order, signal) {
      if (query === null) return unknown('the supplier cannot be asked')
      const question = questionAbout(order, config, query)
      const asked = await withDeadline(config.queryMs, signal, (end) => ask(question, end))
      if (asked.kind !== 'answered') return unknown(asked.reason)
      const judged = judgeQuestion(query.response, asked, question.values)
      if (judged.kind === 'undecided') return redact(unknownOf(judged), secretsOf(order, asked.made))
      const { verdict } = judged
      const { outcome } = verdict
      if (outcome === 'not_found') return { kind: 'not_found' }
      return redact(
        outcomeOf({ ...verdict, outcome }, query.response, judged.json),
        secretsOf(order, asked.made),
      )
    },
  }
}

function unknown(reason: string): Outcome {
  return { kind: 'unknown', reason }
}

function notActed(
  reason: string,
  code: Extract<SubmitOutcome, { kind: 'not_acted' }>['code'] | null = null,
): SubmitOutcome {
  return { kind: 'not_acted', code: code ?? SERVICE_UNAVAILABLE, reason }
}
