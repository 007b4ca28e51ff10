/** Tells one part of a process that another has something for it, without either knowing the other. */
export type Signal = {
  fire(): void
  /** From now on; whoever listened before is forgotten. */
  listen(listener: () => void): void
}

export function createSignal(): Signal {
  let hear = () => {}
  return {
    fire: () => hear(),
    listen(listener) {
      hear = listener
    },
  }
}
