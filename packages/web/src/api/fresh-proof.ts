import { useSyncExternalStore } from 'react'

// An act that makes or widens access asks for a fresh proof of the person. The client learns so from an answer; the
// shell asks for the proof, and the client sends the act again.

type Asked = { readonly settle: (isGiven: boolean) => void }

const listeners = new Set<() => void>()
let asked: Asked | undefined
let answer: Promise<boolean> | undefined

function set(next: Asked | undefined): void {
  asked = next
  for (const each of listeners) each()
}

/** Asks the person for a proof. False: they did not want to give it. Acts at the same time share one answer. */
export function askForProof(): Promise<boolean> {
  answer ??= new Promise<boolean>((resolve) => {
    set({
      settle(isGiven) {
        answer = undefined
        set(undefined)
        resolve(isGiven)
      },
    })
  })
  return answer
}

/** Returns how to answer while a proof is asked for. */
export function useAskedProof(): Asked | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => asked,
  )
}
