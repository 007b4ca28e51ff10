/** Resolves with the answer, or with `unknown` after the time; `onLate` gets an answer that comes later. */
export function withTimeout<T>(
  timeoutMs: number,
  ask: (signal: AbortSignal) => Promise<T>,
  onLate?: (answer: T) => void,
): Promise<T | { kind: 'unknown'; reason: string }> {
  return new Promise((resolve) => {
    const controller = new AbortController()
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      resolve({ kind: 'unknown', reason: `no answer within ${timeoutMs} ms` })
      controller.abort()
    }, timeoutMs)
    ask(controller.signal).then(
      (answer) => {
        clearTimeout(timer)
        if (isLate) onLate?.(answer)
        resolve(answer)
      },
      (error: unknown) => {
        clearTimeout(timer)
        resolve({ kind: 'unknown', reason: String(error) })
      },
    )
  })
}
