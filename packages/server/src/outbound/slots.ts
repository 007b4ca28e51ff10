import type { EndSignal } from './types.ts'

/** Limits concurrency under each key; the others wait in the order of their arrival. */
export type Slots = {
  /** Waits for a slot; false when the signal came first. A taken slot must be given back. */
  take(key: string, max: number, signal: EndSignal): Promise<boolean>
  giveBack(key: string): void
}

type Waiting = { readonly max: number; begin(): void }
type Line = { active: number; waiting: Waiting[] }

export function createSlots(): Slots {
  const lines = new Map<string, Line>()

  function wait(line: Line, max: number, signal: EndSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const giveUp = () => {
        line.waiting = line.waiting.filter((each) => each !== self)
        resolve(false)
      }
      const self: Waiting = {
        max,
        begin() {
          signal.removeEventListener('abort', giveUp)
          line.active += 1
          resolve(true)
        },
      }
      signal.addEventListener('abort', giveUp, { once: true })
      line.waiting.push(self)
    })
  }

  return {
    take(key, max, signal) {
      if (signal.aborted) return Promise.resolve(false)
      const line = lines.get(key) ?? { active: 0, waiting: [] }
      lines.set(key, line)
      if (line.active >= max || line.waiting.length > 0) return wait(line, max, signal)
      line.active += 1
      return Promise.resolve(true)
    },
    giveBack(key) {
      const line = lines.get(key)
      if (line === undefined) return
      line.active -= 1
      let next = line.waiting[0]
      while (next !== undefined && line.active < next.max) {
        line.waiting.shift()
        next.begin()
        next = line.waiting[0]
      }
      if (line.active === 0 && line.waiting.length === 0) lines.delete(key)
    },
  }
}
