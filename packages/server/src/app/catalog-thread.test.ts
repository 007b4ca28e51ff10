import { expect, it } from 'vitest'
import type { AuditLog } from '../modules/audit/types.ts'
import { createCatalogThread } from './catalog-thread.ts'

/** Program that answers an export of one CSV file, and never ends an export of the whole catalogue. */
const PROGRAM = `
  import { parentPort, threadId } from 'node:worker_threads'
  parentPort.on('message', ({ job }) => {
    while (job.csv === null);
    parentPort.postMessage({ kind: 'done', result: threadId })
  })
`

it('a thread is kept for the next job, and one that gives no answer is given up with a 503', async () => {
  const log = { database: { options: {} }, key: async () => Buffer.alloc(32) } as unknown as AuditLog
  const program = new URL(`data:text/javascript,${encodeURIComponent(PROGRAM)}`)
  const usual = createCatalogThread(log, { program, priceChangeMaxPercent: 20 })
  const first = await usual({ kind: 'export', csv: 'prices' })
  expect(await usual({ kind: 'export', csv: 'prices' })).toBe(first)
  const strict = createCatalogThread(log, { program, answerMs: 1, priceChangeMaxPercent: 20 })
  await expect(strict({ kind: 'export', csv: null })).rejects.toMatchObject({ status: 503 })
  await expect(strict({ kind: 'export', csv: null })).rejects.toMatchObject({ status: 503 })
})
