/** Notifies one part of a process that another has something for it, without either knowing the other. */
export type Signal = {
  fire(): void
  /** Sets the listener; it replaces the one before. */
  listen(listener: () => void): void
}

export function createSignal(): Signal {
  let notify = () => {}
  return {
    fire: () => notify(),
    listen(listener) {
      notify = listener
    },
  }
}
