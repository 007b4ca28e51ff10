import type { OperatorFixture } from './fixture.ts'

/** Supplier by a pack, at an address where nobody is. */
export const packed = (code: string) => ({
  pack: 'zendit',
  code,
  settings: { base_url: `https://api.${code}.example` },
  secrets: { api_key: 'x', callback: 'x' },
})

type Queried = { readonly database: Pick<OperatorFixture['database'], 'query'> }

/** Lets a provider say a word that no table knows; returns the id of the word. */
export async function newWord({ database }: Queried, word: string, provider = 'laju'): Promise<string> {
  const { rows } = await database.query<{ id: bigint }>(
    `insert into provider_unknown_answers (provider, operation, path, value, count, first_at, last_at, sample)
     values ($2, 'query', 'status', $1, 1, now(), now(), '{"status":"…"}') returning id`,
    [word, provider],
  )
  return String(rows[0]?.id)
}

/** Lets a provider have refused fourteen orders of today with a word. */
export async function newRefusal({ database }: Queried, word: string, provider: string): Promise<void> {
  await database.query(
    `insert into provider_refusals (provider, day, outcome, word, code, count, last_at)
     values ($2, (now() at time zone 'Asia/Kuala_Lumpur')::date, 'failed', $1, 52, 14, now())`,
    [word, provider],
  )
}
