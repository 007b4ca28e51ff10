/** Source of seeded choices: the same seed gives the same choices in the same order. */
export type Random = {
  /** Returns a number from 0 to less than 1. */
  next(): number
  /** Returns a whole number from `least` to `most`. */
  between(least: number, most: number): number
  /** Returns true with this probability. */
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** Picks by weight. */
  weighted<T>(list: readonly (readonly [weight: number, value: T])[]): T
  /** Returns a source whose choices do not depend on how often this one is asked later. */
  fork(name: string): Random
}

/** Makes a source from a seed (mulberry32: small, and good enough to spread faults). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const pick = <T>(list: readonly T[]): T => {
    if (list.length === 0) throw new Error('there is nothing to pick from')
    return list[Math.floor(next() * list.length)] as T
  }
  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    chance: (probability) => next() < probability,
    pick,
    weighted(list) {
      let rest = next() * list.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, value] of list) {
        rest -= weight
        if (rest < 0) return value
      }
      return pick(list)[1]
    },
    fork: (name) => createRandom(hashOf(`${seed} ${name}`)),
  }
}

/** Hashes a text to 32 bits (FNV-1a). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
