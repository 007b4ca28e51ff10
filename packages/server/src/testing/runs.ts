/** Environment variable of the deep tier: properties are tried with all of their cases. */
const ALL = 'WARUNG_TEST_RUNS'
const SHARE = 4
const RUNS_MIN = 12

/**
 * Returns how many cases of a property a run tries: a quarter, and all of them in the deep tier. Each run begins with
 * another seed, so that many short runs see as much as a long one.
 */
export function runs(count: number): number {
  if (process.env[ALL] === 'all') return count
  return Math.min(count, Math.max(RUNS_MIN, Math.ceil(count / SHARE)))
}
