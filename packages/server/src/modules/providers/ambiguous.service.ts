import type { Refusal } from './health/health.types.ts'
import type { Provider, UnmappedAnswer } from './port/types.ts'

/** An answer with several orders where one is expected. `reference` is that of our order. */
export type AmbiguousAnswer = {
  readonly provider: string
  readonly reference: string
  readonly reason: string
}

/** Tells operators, who must find out which order is ours. Never rejects. */
export type OnAmbiguous = (answer: AmbiguousAnswer) => Promise<void>

/** Takes a word of a provider that its tables do not know, so that a person can say what it means. Never throws. */
export type OnUnmapped = (provider: string, unmapped: UnmappedAnswer) => void

/** Counts an answer by which a provider refused an order. Never throws. */
export type OnRefused = (refusal: Refusal) => void

type Reported = {
  readonly kind: string
  readonly reason?: string
  readonly isAmbiguous?: true
  readonly unmapped?: UnmappedAnswer
  readonly code?: number
  readonly word?: string
}

export type Reporting = {
  readonly onAmbiguous: OnAmbiguous
  readonly onUnmapped?: OnUnmapped | undefined
  readonly onRefused?: OnRefused | undefined
}

/** Has ambiguous answers, unknown words and refusals of a provider reported, before anybody acts on them. */
export function reportingAnswers(
  provider: Provider,
  { onAmbiguous, onUnmapped, onRefused }: Reporting,
): Provider {
  const { voids, callbacks } = provider
  async function report(reference: string, answer: Reported): Promise<void> {
    const { kind, code, word = '' } = answer
    if (answer.unmapped !== undefined) onUnmapped?.(provider.code, answer.unmapped)
    if ((kind === 'failed' || kind === 'not_acted') && code !== undefined) {
      onRefused?.({ provider: provider.code, outcome: kind, word, code })
    }
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
    async query(order, signal, notAfterMs) {
      const answer = await provider.query(order, signal, notAfterMs)
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
        ...callbacks,
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
