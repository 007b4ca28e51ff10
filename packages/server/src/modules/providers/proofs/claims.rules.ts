import type { Claim, ClaimName, Manifest } from '../packs/types.ts'
import { CLAIMS } from '../packs/types.ts'
import type { Proof } from './types.ts'

export const STANDINGS = ['documented', 'unknown', 'proven', 'disproven'] as const

/** One claim about a supplier, as it stands by its documents, or by the last trial that could tell. */
export type Standing = {
  readonly claim: ClaimName
  readonly standing: (typeof STANDINGS)[number]
  readonly value: Claim['value']
  readonly says: string
  readonly source: string
  /** Time of the trial; null: the documents say so, or nobody knows. */
  readonly at: Date | null
}

/** Says how each claim of a pack stands after the proofs, which are in order from the newest. */
export function standingsOf({ claims }: Pick<Manifest, 'claims'>, proofs: readonly Proof[]): Standing[] {
  return CLAIMS.map((claim) => {
    const { state, value, says, source } = claims[claim]
    const proof = proofs.find((each) => each.claim === claim && each.result !== 'not_tried')
    if (proof === undefined) return { claim, standing: state, value, says, source, at: null }
    const isHeld = proof.result === 'held'
    return {
      claim,
      standing: isHeld ? 'proven' : 'disproven',
      value: isHeld ? (value ?? true) : false,
      says: proof.says,
      source,
      at: proof.at,
    }
  })
}
