import type { LookupCapability } from '../port/types.ts'

/** Number of staging that was ported: its prefix says one operator of the demo, and the simulator another. */
export const PORTED_NUMBER = '60129990000'

/** Tells the operator of the one number that was ported; about all others there is nothing to say. */
export const simulatedLookups: LookupCapability = {
  lookUp: async ({ number }) =>
    number === PORTED_NUMBER
      ? { kind: 'found', operator: 'Kita' }
      : { kind: 'unavailable', reason: 'not ported' },
}
