import type { Provider } from './port/types.ts'

/** An answer with several orders where one is expected. `reference` is that of our order. */
export type AmbiguousAnswer = {
  readonly provider: string
  readonly reference: string
  readonly reason: string
}

/** Tells operators, who must find out which order is ours. Never rejects. */
export type OnAmbiguous = (answer: AmbiguousAnswer) => Promise<void>

/** Has operators told of every ambiguous answer of a provider, before anybody acts on it. */
export function reportingAmbiguity(provider: Provider, onAmbiguous: OnAmbiguous): Provider {
  const { voids, callbacks } = provider
  async function report(
    reference: string,
    answer: { readonly kind: string; readonly reason?: string; readonly isAmbiguous?: true },
  ): Promise<void> {
    if (answer.isAmbiguous !== true) return
    await onAmbiguous({ provider: provider.code, reference, reason: answer.reason ?? '' })
  }
  return {
    ...provider,
    async submit(order, signal, notAfterMs) {
      const outcome = await provider.submit(order, signal, notAfterMs)
      await report(order.reference, outcome)
      return outcome
    },
    async query(order, signal) {
      const answer = await provider.query(order, signal)
      await report(order.reference, answer)
      return answer
    },
    ...(voids !== undefined && {
      voids: {
        async requestVoid(order, signal) {
          const answer = await voids.requestVoid(order, signal)
          await report(order.reference, answer)
          return answer
        },
      },
    }),
    ...(callbacks !== undefined && {
      callbacks: {
        readCallback(request, nowMs) {
          const reading = callbacks.readCallback(request, nowMs)
          if (reading.kind === 'news' && reading.outcome !== null) {
            void report(reading.reference, reading.outcome)
          }
          return reading
        },
      },
    }),
  }
}
