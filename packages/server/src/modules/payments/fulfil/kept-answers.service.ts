import type { Outcomes } from '../outcomes/outcomes.types.ts'
import type { ResolveCommand, Resolver } from '../outcomes/resolve.service.ts'
import type { Attempts } from './attempts.service.ts'
import type { AttemptKey } from './attempts.sql.ts'

// The ways by which a supplier's answer about an order reaches the database, with the answers kept until it did.

/**
 * Answers that end something. `pending` and `unknown` are not among them: a payment that stays open is asked about
 * again, so nothing is lost with them.
 */
function isDefinite({ outcome }: Pick<ResolveCommand, 'outcome'>): boolean {
  return outcome.kind !== 'pending' && outcome.kind !== 'unknown'
}

/**
 * A resolver of which definite answers never get lost: `submit` resolves with false when the answer is kept and will
 * be written later. `retries` is a second resolver: what failed once is never in one batch with fresh answers.
 */
export function keepingResolver(outcomes: Outcomes, resolver: Resolver, retries: Resolver): Resolver {
  const submit = outcomes.register<ResolveCommand, boolean>({
    kind: 'payment',
    // A conclusion of ours is not the supplier's own word: the one kept must not stand for the other.
    nameOf: ({ id, attempt, outcome, isConcluded = false }) =>
      `payment ${id}, attempt ${attempt ?? '-'}, ${outcome.kind}${isConcluded ? ' (concluded)' : ''}`,
    write: (command) => resolver.submit(command),
    rewrite: (command) => retries.submit(command),
  })
  return {
    async submit(command) {
      // What stays open is asked about again; nothing is lost with it.
      return isDefinite(command) ? ((await submit(command)) ?? false) : resolver.submit(command)
    },
    get waiting() {
      return resolver.waiting + retries.waiting
    },
    get unanswered() {
      return resolver.unanswered + retries.unanswered
    },
    // Fresh answers alone: those that are tried again wait on purpose.
    get progress() {
      return resolver.progress
    },
    async drain() {
      await Promise.all([resolver.drain(), retries.drain()])
    },
  }
}

/**
 * Attempts of which it is never forgotten that they were not acted on: a supplier that cannot be asked would be asked
 * in vain for ever.
 */
export function keepingAttempts(outcomes: Outcomes, attempts: Attempts): Attempts {
  const release = outcomes.register<AttemptKey, void>({
    kind: 'release',
    nameOf: ({ paymentId, attempt }) => `payment ${paymentId}, attempt ${attempt}, not acted on`,
    write: (attempt) => attempts.release(attempt),
    rewrite: (attempt) => attempts.release(attempt),
  })
  return {
    ...attempts,
    // The key alone: whoever releases an attempt may hold the whole order, identity number included.
    release: ({ resellerId, paymentId, attempt, lease, isRepeat }) =>
      release({ resellerId, paymentId, attempt, lease, ...(isRepeat !== undefined && { isRepeat }) }),
  }
}
