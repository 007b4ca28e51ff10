import { useSyncExternalStore } from 'react'

// The client learns from answers what only the shell can act on: nobody is signed in, the person needs a second factor
// first, or an act asks for a fresh proof of the person.

type Signal<T> = {
  readonly get: () => T
  readonly set: (next: T) => void
  readonly subscribe: (listener: () => void) => () => void
}

function signalOf<T>(first: T): Signal<T> {
  const listeners = new Set<() => void>()
  let value = first
  return {
    get: () => value,
    set(next) {
      if (value === next) return
      value = next
      for (const each of listeners) each()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

type Asked = { readonly settle: (isGiven: boolean) => void }

const asked = signalOf<Asked | undefined>(undefined)
let answer: Promise<boolean> | undefined

/** Asks the person for a proof. False: they did not want to give it. Acts at the same time share one answer. */
export function askForProof(): Promise<boolean> {
  answer ??= new Promise<boolean>((resolve) => {
    asked.set({
      settle(isGiven) {
        answer = undefined
        asked.set(undefined)
        resolve(isGiven)
      },
    })
  })
  return answer
}

/** Returns how to answer while a proof is asked for. */
export function useAskedProof(): Asked | undefined {
  return useSyncExternalStore(asked.subscribe, asked.get)
}

const isFactorMissing = signalOf(false)

/** Notes whether the service refuses the person for want of a second factor. */
export const setSecondFactorMissing = isFactorMissing.set

export function useSecondFactorMissing(): boolean {
  return useSyncExternalStore(isFactorMissing.subscribe, isFactorMissing.get)
}

const signedOut = signalOf(0)

export function announceSignedOut(): void {
  signedOut.set(signedOut.get() + 1)
}

export const onSignedOut = signedOut.subscribe
