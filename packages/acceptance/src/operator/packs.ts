import type { OperatorFixture } from './fixture.ts'

/** Supplier by a pack, at an address where nobody is. */
export const packed = (code: string) => ({
  pack: 'zendit',
  code,
  settings: { base_url: `https://api.${code}.example` },
  secrets: { api_key: 'x', callback: 'x' },
})

/** Lets a provider say a word that no table knows; returns the id of the word. */
export async function newWord(
  { database }: { readonly database: Pick<OperatorFixture['database'], 'query'> },
  word: string,
  provider = 'laju',
): Promise<string> {
  const { rows } = await database.query<{ id: bigint }>(
    `insert into provider_unknown_answers (provider, operation, path, value, count, first_at, last_at, sample)
     values ($2, 'query', 'status', $1, 1, now(), now(), '{"status":"…"}') returning id`,
    [word, provider],
  )
  return String(rows[0]?.id)
}
