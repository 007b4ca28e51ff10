// The client learns from an answer that nobody is signed in; the shell decides what to show.

const listeners = new Set<() => void>()

export function announceSignedOut(): void {
  for (const each of listeners) each()
}

export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
