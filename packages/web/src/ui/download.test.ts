import { afterAll, beforeAll, expect, it, vi } from 'vitest'

let problemAt: typeof import('./download.ts')['problemAt']

// The language is read from the document when its module is loaded.
beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: { lang: 'en' } })
  problemAt = (await import('./download.ts')).problemAt
})
afterAll(() => {
  vi.unstubAllGlobals()
})

/** Has the next trial answered, and returns the signal by which it is broken off. */
function answerWith(answer: () => Response): () => AbortSignal | undefined {
  let signal: AbortSignal | undefined
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    signal = init.signal ?? undefined
    return answer()
  })
  return () => signal
}

it('a trial of a download is broken off once a file begins to come', async () => {
  const signal = answerWith(() => new Response('a,b'))
  expect(await problemAt('/portal/v1/payments.csv')).toBeUndefined()
  expect(signal()?.aborted).toBe(true)
})

it('a trial of a download tells what the service says is wrong', async () => {
  const errors = { to: ['must not lie before from'] }
  answerWith(() => Response.json({ message: 'The given data was invalid.', errors }, { status: 400 }))
  expect(await problemAt('/portal/v1/payments.csv')).toMatchObject({ status: 400, fields: errors })
})

it('a trial of a download that nobody answers says so', async () => {
  answerWith(() => {
    throw new TypeError('Failed to fetch')
  })
  expect(await problemAt('/portal/v1/payments.csv')).toMatchObject({ status: 0 })
})
