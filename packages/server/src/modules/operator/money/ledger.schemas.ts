import { Type } from 'typebox'
import { orNull } from '../../../http/schemas.ts'
import { bodyOf, dataOf, Instant, listOf, Reason } from '../console/schemas.ts'

const text = () => Type.String()

const Report = Type.Object({
  is_whole: Type.Boolean(),
  wallets: Type.Number(),
  entries: text(),
  unchained: Type.String({ description: 'Entries so new that the chain has not reached them' }),
  sums: orNull(
    Type.Object({
      wallets: Type.String({ description: 'Sum of all wallets, in ringgit' }),
      houses: Type.Array(Type.Object({ house_account: text(), entries: text(), balance: text() })),
      total: Type.String({ description: 'Wallets and house accounts together: 0.00' }),
    }),
  ),
  breaks: Type.Array(
    Type.Object({
      kind: text(),
      account: orNull(text()),
      sequence: orNull(text()),
      expected: text(),
      found: text(),
    }),
    { description: 'The first one of each wallet, then those of the whole; at most 100' },
  ),
})

const Proof = Type.Object(
  {
    id: text(),
    requested_by: text(),
    started_at: Instant,
    finished_at: orNull(Instant, 'null: it is under way'),
    report: Type.Unsafe<unknown>(orNull(Report)),
    trouble: orNull(text(), 'Why there is no report'),
  },
  { title: 'Ledger proof' },
)

export const ProofListResponse = listOf(Proof)
export const ProofResponse = dataOf(Proof)
export const ProofBody = bodyOf('Reason request', { reason: Reason })
