import type { Outcomes } from '../outcomes/outcomes.types.ts'
import type { ResolveCommand, Resolver } from '../outcomes/resolve.service.ts'
import type { Attempts } from './attempts.service.ts'
import type { AttemptKey } from './attempts.sql.ts'

// Ways by which a supplier's answer about an order reaches the database. Answers are kept until they are written.

/**
 * Tells whether an answer ends something. `pending` and `unknown` do not: a payment that stays open is asked about
 * again, so nothing is lost.
 */
function isDefinite({ outcome }: Pick<ResolveCommand, 'outcome'>): boolean {
  return outcome.kind !== 'pending' && outcome.kind !== 'unknown'
}

/**
 * Wraps a resolver so that definite answers are never lost. `submit` resolves with false when the answer is kept and
 * will be written later. `retries` is a second resolver: an answer that failed once is never in one batch with fresh
 * answers.
 */
export function durableResolver(outcomes: Outcomes, resolver: Resolver, retries: Resolver): Resolver {
  const submit = outcomes.register<ResolveCommand, boolean>({
    kind: 'payment',
    // A conclusion of ours is not the supplier's own answer: one of them must not replace the other.
    nameOf: ({ id, attempt, outcome, isConcluded = false }) =>
      `payment ${id}, attempt ${attempt ?? '-'}, ${outcome.kind}${isConcluded ? ' (concluded)' : ''}`,
    namesOf: ({ resellerId, id, about }) => ({
      resellerId,
      paymentId: id,
      refid: about?.refid,
      requestId: about?.requestId,
    }),
    write: (command) => resolver.submit(command),
    rewrite: (command) => retries.submit(command),
  })
  return {
    async submit(command) {
      // A payment that stays open is asked about again, so nothing is lost.
      return isDefinite(command) ? ((await submit(command)) ?? false) : resolver.submit(command)
    },
    get waiting() {
      return resolver.waiting + retries.waiting
    },
    get unanswered() {
      return resolver.unanswered + retries.unanswered
    },
    // Fresh answers only: answers that are retried wait on purpose.
    get progress() {
      return resolver.progress
    },
    async drain() {
      await Promise.all([resolver.drain(), retries.drain()])
    },
  }
}

/**
 * Wraps attempts so that "not acted on" is never forgotten. Otherwise a supplier that cannot be asked would be asked
 * without result for ever.
 */
export function durableAttempts(outcomes: Outcomes, attempts: Attempts): Attempts {
  const release = outcomes.register<AttemptKey, void>({
    kind: 'release',
    nameOf: ({ paymentId, attempt }) => `payment ${paymentId}, attempt ${attempt}, not acted on`,
    namesOf: ({ resellerId, paymentId }) => ({ resellerId, paymentId }),
    write: (attempt) => attempts.release(attempt),
    rewrite: (attempt) => attempts.release(attempt),
  })
  return {
    ...attempts,
    // The key only: the caller may hold the whole order, including the identity number.
    release: ({ resellerId, paymentId, attempt, lease, isRepeat }) =>
      release({ resellerId, paymentId, attempt, lease, ...(isRepeat !== undefined && { isRepeat }) }),
  }
}
