import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { DatabaseOptions } from '../db/database.ts'
import type { RequestErrorOptions } from '../lib/errors.ts'
import { RequestError, unavailable } from '../lib/errors.ts'
import type { AuditLog } from '../modules/audit/types.ts'
import type {
  CatalogJob,
  CatalogOutcome,
  CatalogWork,
} from '../modules/operator/catalog/catalog-jobs.service.ts'

const PROGRAM = fileURLToPath(new URL('./catalog-worker.js', import.meta.url))

/** Heap limit. A body of 10 MB becomes some hundred MB of rows; a larger need ends the thread, and not the node. */
const HEAP_MIB_MAX = 1_024
/** Time an idle thread is kept: a previewed change is usually made soon. After that its memory is freed. */
const REST_MS = 60_000
/**
 * Limit of a job, far longer than the largest import takes; a longer one would delay every job that waits for its turn.
 */
const ANSWER_MS = 120_000

export type ThreadInput = {
  readonly job: CatalogJob
  readonly connection: DatabaseOptions['connection']
  readonly schema: DatabaseOptions['schema']
  /** Key of the audit log's chain, for jobs that write to it. */
  readonly auditKey: Uint8Array | undefined
  readonly priceChangeMaxPercent: number
}

export type ThreadOutput =
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'refused'; readonly error: Omit<RequestErrorOptions, 'cause'> }
  | { readonly kind: 'out of reach'; readonly text: string }
  | { readonly kind: 'failed'; readonly text: string }

export type ThreadOptions = {
  readonly priceChangeMaxPercent: number
  readonly program?: string | URL
  readonly answerMs?: number
}

/**
 * Starts a thread when there is a job, and keeps it for a while. It does one job at a time, each on a connection of its
 * own.
 */
export function createCatalogThread(
  { database, key }: Pick<AuditLog, 'database' | 'key'>,
  { priceChangeMaxPercent, program = PROGRAM, answerMs = ANSWER_MS }: ThreadOptions,
): CatalogWork {
  const threads = createThreads(program, answerMs)
  return async <J extends CatalogJob>(job: J): Promise<CatalogOutcome<J>> => {
    const auditKey = job.kind === 'import' ? await key() : undefined
    const { connection, schema } = database.options
    const output = await threads.run({ job, connection, schema, auditKey, priceChangeMaxPercent })
    if (output.kind === 'done') return output.result as CatalogOutcome<J>
    throw errorOf(output)
  }
}

function createThreads(program: string | URL, answerMs: number) {
  let resting: { readonly worker: Worker; readonly timer: NodeJS.Timeout } | undefined

  function take(): Worker {
    if (resting === undefined) return startWorker(program)
    const { worker, timer } = resting
    resting = undefined
    clearTimeout(timer)
    return worker
  }

  function rest(worker: Worker): void {
    if (resting !== undefined) {
      void worker.terminate()
      return
    }
    const timer = setTimeout(() => {
      resting = undefined
      void worker.terminate()
    }, REST_MS)
    timer.unref()
    resting = { worker, timer }
    worker.once('exit', () => {
      if (resting?.worker === worker) resting = undefined
    })
  }

  return {
    async run(input: ThreadInput): Promise<ThreadOutput> {
      const worker = take()
      const output = await ask(worker, input, answerMs)
      rest(worker)
      return output
    },
  }
}

function startWorker(program: string | URL): Worker {
  const worker = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB_MAX } })
  // A node that ends does not wait for the thread: work that was not committed was not done.
  worker.unref()
  // The waiting caller gets the error; without a listener it would end the process.
  worker.on('error', () => {})
  return worker
}

function ask(worker: Worker, input: ThreadInput, answerMs: number): Promise<ThreadOutput> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      failed(unavailable('catalogue_too_long', `the catalogue's thread gave no answer in ${answerMs} ms`))
      void worker.terminate()
    }, answerMs)
    timer.unref()
    const exited = (code: number) => failed(new Error(`the catalogue's thread ended with ${code}`))
    const leave = () => {
      clearTimeout(timer)
      worker.off('message', answered).off('error', failed).off('exit', exited)
    }
    const answered = (output: ThreadOutput) => {
      leave()
      resolve(output)
    }
    const failed = (error: Error) => {
      leave()
      reject(error)
    }
    worker.on('message', answered).on('error', failed).on('exit', exited)
    worker.postMessage(input)
  })
}

function errorOf(output: Exclude<ThreadOutput, { kind: 'done' }>): Error {
  switch (output.kind) {
    case 'refused':
      return new RequestError(output.error)
    case 'out of reach':
      return unavailable('database_unavailable', output.text)
    case 'failed':
      return new Error(`on the catalogue's thread: ${output.text}`)
    default:
      return output satisfies never
  }
}
