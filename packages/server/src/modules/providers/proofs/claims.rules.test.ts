import { expect, it } from 'vitest'
import type { Claim, ClaimName } from '../packs/types.ts'
import { CLAIMS } from '../packs/types.ts'
import { standingsOf } from './claims.rules.ts'
import type { Proof } from './types.ts'

const claim: Claim = { state: 'documented', value: true, says: 'x', source: 'x' }
const claims = Object.fromEntries(CLAIMS.map((name) => [name, claim])) as Record<ClaimName, Claim>
const proof = (day: number, result: Proof['result']): Proof => ({
  claim: 'repeated_reference_acts_once',
  result,
  says: `day ${day}`,
  provider: 'x',
  by: 'x',
  at: new Date(Date.UTC(2026, 0, day)),
})

it('a claim stands by the last trial that could tell, and by the documents where there was none', () => {
  const first = (...proofs: Proof[]) => standingsOf({ claims }, proofs)[0]
  expect(first()).toMatchObject({ standing: 'documented', value: true, at: null })
  expect(first(proof(3, 'not_tried'))).toMatchObject({ standing: 'documented', at: null })
  const tried = first(proof(3, 'not_tried'), proof(2, 'did_not_hold'), proof(1, 'held'))
  expect(tried).toMatchObject({ standing: 'disproven', value: false, says: 'day 2' })
  expect(first(proof(3, 'held'), proof(2, 'did_not_hold'))).toMatchObject({ standing: 'proven', value: true })
})
