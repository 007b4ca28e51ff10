import { useSyncExternalStore } from 'react'

// The client learns from an answer that the person needs a second factor first; the shell leads to the page that sets
// one up.

const listeners = new Set<() => void>()
let isMissing = false

/** Notes whether the service refuses the person for want of a second factor. */
export function setSecondFactorMissing(next: boolean): void {
  if (isMissing === next) return
  isMissing = next
  for (const each of listeners) each()
}

export function useSecondFactorMissing(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isMissing,
  )
}
