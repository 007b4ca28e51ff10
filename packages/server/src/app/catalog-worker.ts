import { parentPort } from 'node:worker_threads'
import { isOutOfReach, openDatabase } from '../db/database.ts'
import { LONG_STATEMENTS } from '../db/long-statements.ts'
import { RequestError } from '../lib/errors.ts'
import { doCatalogJob } from '../modules/operator/catalog/catalog-jobs.service.ts'
import type { ThreadInput, ThreadOutput } from './catalog-thread.ts'

// Program of the thread that works on the whole catalogue; `catalog-thread.ts` starts it.

async function run({
  job,
  connection,
  schema,
  auditKey,
  priceChangeMaxPercent,
}: ThreadInput): Promise<ThreadOutput> {
  const database = openDatabase({
    connection,
    schema,
    connectionsMax: 1,
    applicationName: 'warungd catalogue',
    ...LONG_STATEMENTS,
  })
  const key = async () => {
    if (auditKey === undefined) throw new Error(`a job of the kind ${job.kind} writes no audit log`)
    return Buffer.from(auditKey)
  }
  try {
    return { kind: 'done', result: await doCatalogJob({ database, key }, job, priceChangeMaxPercent) }
  } catch (error) {
    return outputOf(error)
  } finally {
    await database.close().catch(() => {})
  }
}

function outputOf(error: unknown): ThreadOutput {
  if (error instanceof RequestError) {
    const { status, code, publicText, message: internalText, fields, headers, extra } = error
    const options = { ...(fields && { fields }), ...(headers && { headers }), ...(extra && { extra }) }
    return { kind: 'refused', error: { status, code, publicText, internalText, ...options } }
  }
  if (isOutOfReach(error)) return { kind: 'out of reach', text: String(error) }
  return { kind: 'failed', text: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

parentPort?.on('message', async (input: ThreadInput) => {
  parentPort?.postMessage(await run(input))
})
