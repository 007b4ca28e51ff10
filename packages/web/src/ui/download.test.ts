import { afterAll, beforeAll, expect, it, vi } from 'vitest'

let page: typeof import('./download.ts')
let saved: { href: string; download: string }[] = []

// The language is read from the document when its module is loaded.
beforeAll(async () => {
  vi.stubGlobal('window', { setTimeout })
  vi.stubGlobal('document', {
    documentElement: { lang: 'en' },
    createElement: () => {
      const link = { href: '', download: '', click: () => saved.push(link) }
      return link
    },
  })
  page = await import('./download.ts')
})
afterAll(() => {
  vi.unstubAllGlobals()
})

const CSV = '/portal/v1/payments.csv'

/** Has requests answered, and returns the addresses that were asked for. */
function answerWith(answer: () => Response): string[] {
  const asked: string[] = []
  saved = []
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    return answer()
  })
  return asked
}

it('a download asks for the file once, and saves it under the name that the service gives', async () => {
  const headers = { 'Content-Disposition': 'attachment; filename="payments-1.csv"' }
  const asked = answerWith(() => new Response('a,b', { headers }))
  await page.download(CSV, 'other.csv')
  expect(asked).toEqual([CSV])
  expect(saved).toMatchObject([{ href: expect.stringMatching(/^blob:/), download: 'payments-1.csv' }])
})

it('a download that is clicked twice is one, and can be asked for again when it is done', async () => {
  const asked = answerWith(() => new Response('a,b'))
  await Promise.all([page.download(CSV, 'a.csv'), page.download(CSV, 'a.csv')])
  expect([asked.length, saved.map(({ download }) => download)]).toEqual([1, ['a.csv']])
  await page.download(CSV, 'a.csv')
  expect(asked).toHaveLength(2)
})

it('a download has the bytes of the file', async () => {
  answerWith(() => new Response('a,b'))
  const file = await page.fileAt(CSV)
  expect('content' in file && (await file.content.text())).toBe('a,b')
})

it('a download tells what the service says is wrong', async () => {
  const errors = { to: ['must not lie before from'] }
  answerWith(() => Response.json({ message: 'The given data was invalid.', errors }, { status: 400 }))
  expect(await page.fileAt(CSV)).toMatchObject({ status: 400, fields: errors })
})

it('a download that nobody answers, or that breaks off, says so', async () => {
  answerWith(() => {
    throw new TypeError('Failed to fetch')
  })
  expect(await page.fileAt(CSV)).toMatchObject({ status: 0 })
  const broken = new ReadableStream({ pull: (controller) => controller.error(new TypeError('broken off')) })
  answerWith(() => new Response(broken))
  expect(await page.fileAt(CSV)).toMatchObject({ status: 0 })
})
