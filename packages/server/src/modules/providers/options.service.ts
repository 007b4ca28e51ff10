import { createHmac, randomBytes } from 'node:crypto'
import { unavailable } from '../../lib/errors.ts'
import type {
  DynamicOption,
  DynamicOptionsAnswer,
  DynamicOptionsCapability,
  DynamicOptionsRequest,
} from './port/types.ts'
import type { Providers } from './registry.service.ts'

export type DynamicOptions = {
  /** Throws 503 when the provider does not answer; returns none for an account without options. */
  list(request: DynamicOptionsRequest): Promise<readonly DynamicOption[]>
}

/** Uses the first provider of the product that can list options. It need not be the provider that takes the payment. */
export function optionsOf(providers: Pick<Providers, 'choose'>): DynamicOptionsCapability {
  return {
    listOptions(request, signal) {
      const tried = new Set<string>()
      for (;;) {
        const choice = providers.choose({ productCode: request.productCode, tried })
        if (choice.kind !== 'chosen' || tried.has(choice.provider.code)) {
          return Promise.resolve({
            kind: 'unavailable',
            reason: 'no provider that takes orders knows its choices',
          })
        }
        const { provider } = choice
        if (provider.options !== undefined) return provider.options.listOptions(request, signal)
        tried.add(provider.code)
      }
    },
  }
}

export type DynamicOptionsSettings = {
  provider: DynamicOptionsCapability
  timeoutMs?: number
  cacheMs?: number
  cacheMax?: number
}

const TIMEOUT_MS = 5_000
/** Long enough for a person to turn pages and pay; short enough that a new loan appears soon. */
const CACHE_MS = 30_000
const CACHE_MAX = 10_000

type Kept = { expiresAtMs: number; answer: Promise<readonly DynamicOption[]> }

/** Asks the provider within a deadline; equal requests at the same time are sent once. */
export function createDynamicOptions(settings: DynamicOptionsSettings): DynamicOptions {
  const { provider, timeoutMs = TIMEOUT_MS, cacheMs = CACHE_MS, cacheMax = CACHE_MAX } = settings
  const kept = new Map<string, Kept>()
  // Identity numbers are secret, so even in memory the cache holds only a digest under a key of its own.
  const cacheKey = randomBytes(32)

  function keyOf({ productCode, fieldId, accountNumber }: DynamicOptionsRequest): string {
    return createHmac('sha256', cacheKey)
      .update(JSON.stringify([productCode, fieldId, accountNumber]))
      .digest('base64')
  }

  async function ask(request: DynamicOptionsRequest): Promise<readonly DynamicOption[]> {
    const answer = await answerWithin(provider, request, timeoutMs)
    if (answer.kind === 'found') return answer.options
    throw unavailable('provider_unavailable', `${request.productCode}: ${answer.reason}`)
  }

  return {
    list(request) {
      const key = keyOf(request)
      const now = performance.now()
      const existing = kept.get(key)
      if (existing !== undefined && existing.expiresAtMs > now) return existing.answer
      const answer = ask(request)
      kept.delete(key)
      kept.set(key, { expiresAtMs: now + cacheMs, answer })
      // A failure goes to all requests that wait for it and to no later one.
      answer.catch(() => {
        if (kept.get(key)?.answer === answer) kept.delete(key)
      })
      forgetOldest(kept, cacheMax)
      return answer
    },
  }
}

async function answerWithin(
  provider: DynamicOptionsCapability,
  request: DynamicOptionsRequest,
  timeoutMs: number,
): Promise<DynamicOptionsAnswer> {
  const signal = AbortSignal.timeout(timeoutMs)
  const gaveUp = new Promise<DynamicOptionsAnswer>((resolve) => {
    signal.addEventListener('abort', () =>
      resolve({ kind: 'unavailable', reason: `the provider did not answer within ${timeoutMs} ms` }),
    )
  })
  const answered = provider
    .listOptions(request, signal)
    .catch((error: unknown): DynamicOptionsAnswer => ({ kind: 'unavailable', reason: String(error) }))
  return Promise.race([answered, gaveUp])
}

function forgetOldest(kept: Map<string, Kept>, cacheMax: number): void {
  for (const key of kept.keys()) {
    if (kept.size <= cacheMax) return
    kept.delete(key)
  }
}
