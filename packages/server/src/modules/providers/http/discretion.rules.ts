/** Shorter ones stand in ordinary words by chance. */
const HIDDEN_MIN = 4

/** A supplier's words may quote what it was sent: those that hold a secret are not passed on. */
export function discreet<T extends object>(answer: T, hidden: readonly string[]): T {
  if (!('reason' in answer) || typeof answer.reason !== 'string') return answer
  const { reason } = answer
  const isTelling = hidden.some((secret) => secret.length >= HIDDEN_MIN && reason.includes(secret))
  return isTelling ? { ...answer, reason: 'the supplier gave a reason that holds a secret' } : answer
}
