import type { Health } from '../../modules/providers/connections/routing.types.ts'
import type {
  FulfilledOutput,
  Order,
  Outcome,
  Provider,
  QueryAnswer,
  SubmitOutcome,
} from '../../modules/providers/port/types.ts'
import { isOver, UNSENT } from '../../modules/providers/port/unsent.service.ts'
import type { Providers } from '../../modules/providers/registry.service.ts'

/** Provider that does what the test says and records its calls, in order. */
export type ScriptedProvider = Provider & {
  readonly submitted: Order[]
  readonly asked: Order[]
  script: Script
}

export type Script = {
  submit(order: Order, signal: AbortSignal): Promise<SubmitOutcome>
  query(order: Order, signal: AbortSignal): Promise<QueryAnswer>
}

export const OUTPUT: FulfilledOutput = { serialNumber: 'SN1', pin: '', expiry: '', voucherLink: '', note: '' }
export const SUCCEEDED: Outcome = { kind: 'succeeded', output: OUTPUT }
export const FAILED: Outcome = { kind: 'failed', code: 48, reason: 'Rejected' }
export const PENDING: Outcome = { kind: 'pending' }
export const UNKNOWN: Outcome = { kind: 'unknown', reason: 'the line is dead' }
export const NOT_ACTED: SubmitOutcome = { kind: 'not_acted', code: 47, reason: 'nothing listens there' }
export const NOT_FOUND = { kind: 'not_found' } as const satisfies QueryAnswer

export const NEVER: Promise<never> = new Promise(() => {})

/** Makes a provider that gives the same two answers for every order, unless the script is changed. */
export function createScriptedProvider(
  submit: SubmitOutcome | Script['submit'],
  query: QueryAnswer | Script['query'] = UNKNOWN,
  settings: Partial<Omit<Provider, 'submit' | 'query'>> = {},
): ScriptedProvider {
  const submitted: Order[] = []
  const asked: Order[] = []
  const provider: ScriptedProvider = {
    code: 'scripted',
    submitTimeoutMs: 10_000,
    queryTimeoutMs: 10_000,
    notFoundProvesAfterMs: 30_000,
    repeatsReference: true,
    concurrencyMax: 512,
    ratePerSecond: null,
    reservesStock: false,
    ...settings,
    submitted,
    asked,
    script: {
      submit: typeof submit === 'function' ? submit : () => Promise.resolve(submit),
      query: typeof query === 'function' ? query : () => Promise.resolve(query),
    },
    submit(order, signal, notAfterMs) {
      if (isOver(notAfterMs)) return Promise.resolve(UNSENT)
      submitted.push(order)
      return provider.script.submit(order, signal)
    },
    query(order, signal) {
      asked.push(order)
      return provider.script.query(order, signal)
    },
  }
  return provider
}

/** Makes a choice of providers in the given order, always open. */
export function providersOf(...providers: readonly Provider[]): Providers {
  return {
    ...createProviders(providers[0]),
    choose: ({ tried }) => {
      const provider = providers.find(({ code }) => tried?.has(code) !== true)
      if (provider !== undefined) return { kind: 'chosen', provider, note: null }
      const passedOver = providers.map(({ code }) => ({ provider: code, obstacle: 'tried' }) as const)
      return providers.length === 0 ? { kind: 'none' } : { kind: 'closed', passedOver }
    },
    byCode: (code) => providers.find((provider) => provider.code === code),
    list: () => providers,
    takesOrders: (code) => providers.some((provider) => provider.code === code),
  }
}

const UNMEASURED: Health = {
  state: 'closed',
  orders: 0,
  successRate: null,
  timeouts: 0,
  notActed: 0,
  p50Ms: null,
  p95Ms: null,
}

/** Makes a choice of one provider for everything, always open. */
function createProviders(provider: Provider | undefined): Providers {
  return {
    choose: ({ tried, withoutStock }) => {
      if (provider === undefined) return { kind: 'none' }
      const { code } = provider
      if (tried?.has(code) === true)
        return { kind: 'closed', passedOver: [{ provider: code, obstacle: 'tried' }] }
      if (withoutStock === true && provider.reservesStock)
        return { kind: 'closed', passedOver: [{ provider: code, obstacle: 'stock_not_reserved' }] }
      return { kind: 'chosen', provider, note: null }
    },
    byCode: (code) => (provider?.code === code ? provider : undefined),
    list: () => (provider === undefined ? [] : [provider]),
    takesOrders: (code) => provider?.code === code,
    admit: () => 'send',
    observe: () => {},
    healthOf: () => UNMEASURED,
    isOpen: () => false,
    productHealth: () => (provider === undefined ? 'interrupted' : 'healthy'),
  }
}
