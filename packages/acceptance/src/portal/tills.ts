import { dataOf } from './members.ts'
import type { Browser } from './people.ts'

// Tills as a shop sets them up: a branch, a till in it, and the browser that is the till.

export type Till = { readonly id: string; readonly branchId: string; readonly cookie: string }

let branches = 0

/** Adds a branch with a till, and makes the browser of `by` this till. */
export async function newTill(by: Browser): Promise<Till> {
  branches += 1
  const branch = dataOf<{ id: string }>(await by.send('POST', '/branches', { name: `Branch ${branches}` }))
  const till = dataOf<{ id: string }>(
    await by.send('POST', '/tills', { branch_id: branch.id, name: 'Till 1' }),
  )
  const bound = await by.send('POST', `/tills/${till.id}/browser`)
  const [cookie = ''] = bound.headers['set-cookie'] ?? []
  return { id: till.id, branchId: branch.id, cookie: cookie.split(';')[0] ?? '' }
}

/** Header with which somebody who is signed in sits at the till. */
export function at({ cookie }: Till, { secret }: Browser): Record<string, string> {
  return { Cookie: `warung_member=${secret}; ${cookie}` }
}
