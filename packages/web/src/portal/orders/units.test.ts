import { describe, expect, it } from 'vitest'
import { unitStatus } from './units.ts'

describe('a unit of an order', () => {
  it("has one of the portal's own states, whatever the wire calls it", () => {
    const states = [
      { status_name: 'Succesful', status_code: 20, error: null },
      { status_name: 'Failed', status_code: 48, error: 'Rejected by the provider' },
      { status_name: 'Failed', status_code: 53, error: null },
      { status_name: 'Processing', status_code: 4, error: null },
      { status_name: null, status_code: null, error: null },
      { status_name: null, status_code: null, error: 'The wallet balance is too low' },
    ].map(unitStatus)
    expect(states).toEqual(['successful', 'failed', 'refunded', 'pending', 'pending', 'failed'])
  })
})
