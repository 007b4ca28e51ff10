import type { Address, Worker } from 'node:cluster'
import cluster from 'node:cluster'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { AggregatorRegistry } from 'prom-client'
import type { Config } from '../config.ts'
import { RequestError } from '../lib/errors.ts'
import { createLogger } from '../logger.ts'
import type { Runtime } from '../runtime.ts'
import { openRuntime } from '../runtime.ts'
import type { Listener } from './listener.ts'
import { openListener } from './listener.ts'
import { currentRuntime } from './runtimes.ts'

// Several processes on one port. The first process has the database, the demo, the metrics and the signals; workers
// answer requests. Each worker is a node like any other, so no other code of the service knows about workers.

type Order = 'ready' | 'stop'
/** Message of a worker to the first process. */
type WorkerMessage =
  | { readonly kind: 'listening'; readonly baseUrl: string }
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly text: string; readonly syscall?: string; readonly port?: number }

const PROGRAM = fileURLToPath(new URL('../../bin/warungd.js', import.meta.url))
const REPLACE_AFTER_MS = 1_000
/** Time that a worker without its first process has to receive the answers in progress and to write them to a file. */
const ORPHAN_MAX_MS = 30_000

/** Starts the workers and waits until all of them listen. A worker that ends later is replaced. */
export async function openWorkers(config: Config, logger: Logger): Promise<Listener> {
  cluster.setupPrimary({ exec: PROGRAM, args: ['serve'] })
  const metrics = new AggregatorRegistry()
  let isReady = false
  let isStopping = false
  /** Port of the first worker, for the others: Bun, asked for port 0, would give each of them a port of its own. */
  let port: number | undefined

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
    const worker = cluster.fork(port === undefined ? {} : { WARUNG_PORT: String(port) })
    // A message to a worker that has ended is lost; the exit event is handled below.
    worker.on('error', (error) =>
      logger.warn({ err: error, pid: worker.process.pid }, 'a message to a worker could not be sent'),
    )
    worker.once('exit', (code, signal) => {
      if (isStopping) return
      logger.error({ pid: worker.process.pid, code, signal }, 'a worker ended')
      if (isReady) void replace()
    })
    const { baseUrl } = await awaitMessage(worker, 'listening')
    return Object.assign(worker, { baseUrl })
  }

  async function openAll(): Promise<(Worker & { baseUrl: string })[]> {
    const count = config.processes
    if (config.port !== 0 || currentRuntime() === 'node')
      return Promise.all(Array.from({ length: count }, open))
    const listening = once(cluster, 'listening')
    const first = await open()
    const [, address] = (await listening) as [Worker, Address]
    port = address.port
    return [first, ...(await Promise.all(Array.from({ length: count - 1 }, open)))]
  }

  async function close(): Promise<void> {
    isStopping = true
    const workers = Object.values(cluster.workers ?? {}).filter((each) => each !== undefined)
    await Promise.all(workers.map(stop))
  }

  try {
    const workers = await openAll()
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

async function stop(worker: Worker): Promise<void> {
  const ended = new Promise((resolve) => worker.once('exit', resolve))
  // The message cannot be sent to a worker that has just ended. Its exit is handled anyway, so the error is ignored.
  if (worker.isConnected()) worker.send('stop' satisfies Order, () => {})
  await ended
}

async function makeReady(worker: Worker): Promise<void> {
  if (!worker.isConnected()) throw new Error('a worker ended while it started')
  const ready = awaitMessage(worker, 'ready')
  worker.send('ready' satisfies Order)
  await ready
}

function awaitMessage<Kind extends WorkerMessage['kind']>(
  worker: Worker,
  kind: Kind,
): Promise<Extract<WorkerMessage, { kind: Kind }>> {
  return new Promise((resolve, reject) => {
    const listen = (message: WorkerMessage) => {
      if (message.kind === kind) resolve(message as Extract<WorkerMessage, { kind: Kind }>)
      else if (message.kind === 'failed') reject(Object.assign(new Error(message.text), message))
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

/** Runs a worker from start to end; returns its exit code. */
export async function serveAsWorker(config: Config): Promise<number> {
  const logger = createLogger(config.logLevel)
  let runtime: Runtime | undefined
  let listener: Listener | undefined
  // Without the first process nothing manages the database. The answers of suppliers are still written to a file.
  process.once('disconnect', () => {
    const closed = listener?.close().catch((error: unknown) => logger.error({ err: error }, 'closing failed'))
    const end = () => process.exit(1)
    setTimeout(end, ORPHAN_MAX_MS).unref()
    void Promise.resolve(closed).then(end)
  })
  // A signal of the terminal reaches every process. The first process decides when to stop.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  // The worker answers requests for metrics from now on, with an empty list until it has some.
  AggregatorRegistry.setRegistries([])
  new AggregatorRegistry()
  const stopped = untilOrdered('stop')
  const ordered = untilOrdered('ready')
  let failure: unknown
  try {
    runtime = await openRuntime(config, { purpose: 'worker' })
    listener = await openListener(runtime, logger)
    AggregatorRegistry.setRegistries([listener.metrics as never])
    await say({ kind: 'listening', baseUrl: listener.baseUrl })
    if ((await Promise.race([stopped, ordered])) === 'ready') {
      await listener.markReady()
      await say({ kind: 'ready' })
    }
    await stopped
  } catch (error) {
    failure = error
    await say(failed(error))
  }
  await listener?.close()
  await runtime?.close()
  logger.flush()
  // The channel to the first process would keep this one alive.
  process.exit(failure === undefined ? 0 : 1)
}

function failed(error: unknown): WorkerMessage {
  const { syscall, port } = error as NodeJS.ErrnoException & { port?: number }
  const text = error instanceof RequestError ? error.publicText : String((error as Error).message)
  return {
    kind: 'failed',
    text,
    ...(syscall !== undefined && { syscall }),
    ...(port !== undefined && { port }),
  }
}

function untilOrdered(order: Order): Promise<Order> {
  return new Promise((resolve) => {
    process.on('message', (message) => {
      if (message === order) resolve(order)
    })
  })
}

/** Resolves when the message is sent, so that the process may end right after it. */
function say(message: WorkerMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve()
    else process.send(message, () => resolve())
  })
}
