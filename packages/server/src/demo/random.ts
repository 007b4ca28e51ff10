/** Function that returns a whole number from 0 to `below`, exclusive. */
export type Random = (below: number) => number

/** Mulberry32: a small generator, even enough for a demo, with the same numbers on every machine. */
export function randomFrom(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

export function pick<T>(values: readonly T[], random: Random): T {
  const value = values[random(values.length)]
  if (value === undefined) throw new Error('there is nothing to pick from')
  return value
}
