import type { Worker } from 'node:cluster'
import cluster from 'node:cluster'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { AggregatorRegistry } from 'prom-client'
import type { Config } from '../config.ts'
import { RequestError } from '../lib/errors.ts'
import { createLogger } from '../logger.ts'
import { openRuntime } from '../runtime.ts'
import type { Front } from './front.ts'
import { openFront } from './front.ts'

// Several processes on one port. The first process has the database, the demo, the metrics and the signals; workers
// answer requests. Each worker is a node like any other, so nothing else in the service knows of them.

type Order = 'ready' | 'stop'
/** What a worker says of itself. */
type Word =
  | { readonly kind: 'listening'; readonly baseUrl: string }
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly text: string; readonly syscall?: string; readonly port?: number }

const PROGRAM = fileURLToPath(new URL('../../bin/warungd.js', import.meta.url))
const REPLACE_AFTER_MS = 1_000

/** Starts the workers and waits until all of them listen; one that dies later is replaced. */
export async function openWorkers(config: Config, logger: Logger): Promise<Front> {
  cluster.setupPrimary({ exec: PROGRAM, args: ['serve'] })
  const metrics = new AggregatorRegistry()
  let isReady = false
  let isStopping = false

  async function replace(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, REPLACE_AFTER_MS))
    if (isStopping) return
    try {
      const worker = await open()
      if (isReady) await makeReady(worker)
    } catch (error) {
      logger.error({ err: error }, 'a worker could not be replaced')
    }
  }

  async function open(): Promise<Worker & { baseUrl: string }> {
    const worker = cluster.fork()
    worker.once('exit', (code, signal) => {
      if (isStopping) return
      logger.error({ pid: worker.process.pid, code, signal }, 'a worker ended')
      if (isReady) void replace()
    })
    const { baseUrl } = await hear(worker, 'listening')
    return Object.assign(worker, { baseUrl })
  }

  async function close(): Promise<void> {
    isStopping = true
    const workers = Object.values(cluster.workers ?? {}).filter((each) => each !== undefined)
    await Promise.all(
      workers.map(async (worker) => {
        const ended = once(worker, 'exit')
        if (worker.isConnected()) worker.send('stop' satisfies Order)
        await ended
      }),
    )
  }

  try {
    const workers = await Promise.all(Array.from({ length: config.processes }, open))
    return {
      baseUrl: workers[0]?.baseUrl ?? '',
      metrics: { contentType: metrics.contentType, metrics: () => metrics.clusterMetrics() },
      async markReady() {
        await Promise.all(workers.map(makeReady))
        isReady = true
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function makeReady(worker: Worker): Promise<void> {
  const ready = hear(worker, 'ready')
  worker.send('ready' satisfies Order)
  await ready
}

function hear<Kind extends Word['kind']>(worker: Worker, kind: Kind): Promise<Extract<Word, { kind: Kind }>> {
  return new Promise((resolve, reject) => {
    const listen = (word: Word) => {
      if (word.kind === kind) resolve(word as Extract<Word, { kind: Kind }>)
      else if (word.kind === 'failed') reject(Object.assign(new Error(word.text), word))
      else return
      worker.off('message', listen).off('exit', lose)
    }
    const lose = () => {
      worker.off('message', listen)
      reject(new Error('a worker ended while it started'))
    }
    worker.on('message', listen).once('exit', lose)
  })
}

/** A worker's whole life; returns its exit code. */
export async function serveAsWorker(config: Config): Promise<number> {
  const logger = createLogger(config.logLevel)
  // Without the first process there is nobody who looks after the database.
  const desert = () => process.exit(1)
  process.once('disconnect', desert)
  const stopped = untilTold('stop')
  const told = untilTold('ready')
  try {
    const runtime = await openRuntime(config, { purpose: 'worker' })
    const front = await openFront(runtime, logger)
    AggregatorRegistry.setRegistries([front.metrics as never])
    new AggregatorRegistry()
    say({ kind: 'listening', baseUrl: front.baseUrl })
    const ready = told.then(() => front.markReady()).then(() => say({ kind: 'ready' }))
    await Promise.race([stopped, ready])
    await stopped
    await front.close()
    await runtime.close()
    logger.flush()
    process.off('disconnect', desert).disconnect()
    return 0
  } catch (error) {
    const { syscall, port } = error as NodeJS.ErrnoException & { port?: number }
    const text = error instanceof RequestError ? error.publicText : String((error as Error).message)
    say({
      kind: 'failed',
      text,
      ...(syscall !== undefined && { syscall }),
      ...(port !== undefined && { port }),
    })
    return 1
  }
}

/** The first process gets the terminal's signals too, and says when to stop; to a worker they mean the same. */
function untilTold(order: Order): Promise<void> {
  return new Promise((resolve) => {
    process.on('message', (word) => {
      if (word === order) resolve()
    })
    if (order === 'stop')
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
  })
}

function say(word: Word): void {
  process.send?.(word)
}
