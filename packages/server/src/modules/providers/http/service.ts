import type { Outbound } from '../../../outbound/types.ts'
import { renderText } from '../language/template.rules.ts'
import type { SecretReference } from '../language/types.ts'
import type { Provider } from '../port/types.ts'
import { createAuthentication } from './auth.service.ts'
import { readCallback } from './callback.rules.ts'
import { createCapabilities } from './capabilities.service.ts'
import { createCatalogue } from './catalogue.service.ts'
import { createClient } from './client.service.ts'
import type { HttpConfig } from './config.rules.ts'
import { createOrders } from './orders.service.ts'
import { redactCallback } from './redaction.rules.ts'
import { isClosed, referenceValues } from './values.rules.ts'

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
  const { queryMs: tokenTimeoutMs, callback, query, referenceFormat } = config
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
    canBeAsked: query !== null,
    notFoundProvesAfterMs: config.notFoundProvesAfterMs,
    repeatsReference: config.repeatsReference,
    ...(query !== null && query.repeats !== null && { asksByRepeating: query.repeats }),
    ...(referenceFormat !== null && {
      referenceOf: (order) => renderText(referenceFormat, referenceValues(order)),
    }),
    ...withoutClosed(config, createOrders(config, ask, hidden)),
    ...createCapabilities(config, ask, hidden),
    ...createCatalogue(config, ask, hidden),
    ...(callback !== null && {
      callbacks: {
        ...(callback.answer !== null && { answer: callback.answer }),
        readCallback: (request, atMs) =>
          redactCallback(readCallback(callback, secretOf, request, atMs), hidden()),
      },
    }),
  }
}

const OUT_OF_STOCK = 45

/** Sends no order for what the supplier has closed. Earlier orders of it are asked about as ever. */
function withoutClosed(config: HttpConfig, orders: ReturnType<typeof createOrders>): typeof orders {
  const reason = 'the supplier does not sell it now'
  return {
    ...orders,
    submit: async (order, signal, notAfterMs) =>
      isClosed(order, config)
        ? { kind: 'not_acted', code: OUT_OF_STOCK, reason }
        : orders.submit(order, signal, notAfterMs),
  }
}
