import type { Address, Worker } from 'node:cluster'
import cluster from 'node:cluster'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Closing } from '../app/closing.ts'
import type { Config } from '../config.ts'
import { answerForMetrics, gatherMetrics } from '../http/figures/worker-metrics.ts'
import { RequestError } from '../lib/errors.ts'
import { createLogger } from '../logger.ts'
import type { Runtime } from '../runtime.ts'
import { openRuntime } from '../runtime.ts'
import type { Listener } from './listener.ts'
import { closeListener, openListener } from './listener.ts'
import { currentRuntime } from './runtimes.ts'

// Several processes on one port. The first process has the database, the demo, the metrics and the signals; workers
// answer requests. Each worker is a node like any other, so no other code of the service knows about workers.

/**
 * Message to a worker: be ready; stop, and let a load balancer notice; leave, because another worker has taken its place;
 * end at once. After a reload a worker may have another version than the first process, so these names never change.
 */
type Order = 'ready' | 'stop' | 'retire' | 'end'
const CLOSING = { stop: 'drain', retire: 'retire', end: 'at once' } as const satisfies Record<
  Exclude<Order, 'ready'>,
  Closing
>
/** Message of a worker to the first process. */
type WorkerMessage =
  /** The worker has loaded its program and receives orders. */
  | { readonly kind: 'loaded' }
  | { readonly kind: 'listening'; readonly baseUrl: string }
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly text: string; readonly syscall?: string; readonly port?: number }

const PROGRAM = fileURLToPath(new URL('../../bin/warungd.js', import.meta.url))
const REPLACE_AFTER_MS = 1_000
/** Time that a worker without its first process has to receive the answers in progress and to write them to a file. */
const ORPHAN_MAX_MS = 30_000

/**
 * Finds the program of the workers: the path by which this process was started. An upgrade may turn a link in it to
 * another directory; a reload then starts the workers from there.
 */
function programPath(): string {
  const [, started = PROGRAM] = process.argv
  try {
    return realpathSync(started) === realpathSync(PROGRAM) ? started : PROGRAM
  } catch {
    return PROGRAM
  }
}

/** Workers of one first process. */
type Fleet = {
  readonly logger: Logger
  /** Time in which a worker that replaces another has to be ready. */
  readonly readyMaxMs: number
  /** Time in which a worker that was replaced has to end: its drain, and as long again as a start. */
  readonly retireMaxMs: number
  /** Workers that answer requests, with their generation. One that ends is replaced. */
  readonly serving: Map<Worker, number>
  /** Number of reloads. Workers that were started before the last one are replaced. */
  generation: number
  /** Reload under way. */
  reloading: Promise<void> | undefined
  reload(): Promise<void>
  isStopping: boolean
  /** Port of the first worker, for the others: Bun, asked for port 0, would give each of them a port of its own. */
  port: number | undefined
}

type Opened = Worker & { baseUrl: string }

/** Starts the workers and waits until all of them listen. A worker that ends later is replaced. */
export async function openWorkers(config: Config, logger: Logger): Promise<Listener> {
  cluster.setupPrimary({ exec: programPath(), args: ['serve'] })
  const fleet: Fleet = {
    logger,
    readyMaxMs: config.workerMaxMs,
    retireMaxMs: config.drainMs + config.drainAnswersMs + config.workerMaxMs,
    serving: new Map(),
    generation: 0,
    reloading: undefined,
    reload: () => reload(),
    isStopping: false,
    port: undefined,
  }
  const reload = createReload(fleet)
  let closed: Promise<void> | undefined
  let tellSent: () => void = () => {}
  const sent = new Promise<void>((resolve) => {
    tellSent = resolve
  })
  const close: Listener['close'] = (manner = 'at once') => {
    closed ??= endAll(fleet, manner).then(tellSent)
    return closed
  }
  try {
    const workers = await openAll(fleet, config)
    return {
      baseUrl: workers[0]?.baseUrl ?? '',
      metrics: gatherMetrics(),
      async markReady() {
        await Promise.all(workers.map(makeReady))
        for (const worker of workers) {
          if (worker.isDead()) void replaceLost(fleet)
          else fleet.serving.set(worker, fleet.generation)
        }
      },
      reload,
      close,
      sent,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function openAll(fleet: Fleet, config: Config): Promise<Opened[]> {
  const count = config.processes
  const open = () => openOne(fleet)
  if (config.port !== 0 || currentRuntime() === 'node')
    return Promise.all(Array.from({ length: count }, open))
  const listening = once(cluster, 'listening')
  const first = await open()
  const [, address] = (await listening) as [Worker, Address]
  fleet.port = address.port
  return [first, ...(await Promise.all(Array.from({ length: count - 1 }, open)))]
}

async function endAll(fleet: Fleet, manner: Closing): Promise<void> {
  fleet.isStopping = true
  const workers = Object.values(cluster.workers ?? {}).filter((each) => each !== undefined)
  await Promise.all(workers.map((worker) => order(worker, manner === 'drain' ? 'stop' : 'end')))
}

function fork(fleet: Fleet): Worker {
  const { logger, serving, port } = fleet
  const worker = cluster.fork(port === undefined ? {} : { WARUNG_PORT: String(port) })
  // A message to a worker that has ended is lost; the exit event is handled below.
  worker.on('error', (error) =>
    logger.warn({ err: error, pid: worker.process.pid }, 'a message to a worker could not be sent'),
  )
  worker.once('exit', (code, signal) => {
    if (!serving.delete(worker) || fleet.isStopping) return
    logger.error({ pid: worker.process.pid, code, signal }, 'a worker ended')
    void replaceLost(fleet)
  })
  return worker
}

async function openOne(fleet: Fleet): Promise<Opened> {
  const worker = fork(fleet)
  const { baseUrl } = await awaitMessage(worker, 'listening')
  return Object.assign(worker, { baseUrl })
}

/** Opens a worker that is ready before it accepts its first connection. */
async function openReady(fleet: Fleet): Promise<void> {
  const { generation } = fleet
  const worker = fork(fleet)
  await makeReadyInTime(worker, fleet.readyMaxMs)
  if (worker.isDead()) throw new Error('a worker ended while it started')
  fleet.serving.set(worker, generation)
  // A worker in place of a lost one may have been started before a reload that has ended by now.
  if (generation < fleet.generation && fleet.reloading === undefined) void fleet.reload()
}

async function replaceLost(fleet: Fleet): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, REPLACE_AFTER_MS))
    if (fleet.isStopping) return
    try {
      await openReady(fleet)
      return
    } catch (error) {
      if (!fleet.isStopping) fleet.logger.error({ err: error }, 'a worker could not be replaced')
    }
  }
}

/** Makes the function that reloads. A call during a reload makes it begin once more: the files may have changed. */
function createReload(fleet: Fleet): () => Promise<void> {
  let isWanted = false
  return () => {
    isWanted = true
    fleet.reloading ??= (async () => {
      while (isWanted) {
        isWanted = false
        await replaceAll(fleet)
      }
      fleet.reloading = undefined
    })()
    return fleet.reloading
  }
}

/** Replaces each worker by one that is started from the files as they are now. The port is open all the time. */
async function replaceAll(fleet: Fleet): Promise<void> {
  const { logger, serving } = fleet
  logger.info('reloading: workers are replaced one after the other')
  fleet.generation += 1
  while (!fleet.isStopping) {
    const [worker, generation] = [...serving].find(([, each]) => each < fleet.generation) ?? []
    if (worker === undefined || generation === undefined) break
    // A worker that ends by itself from now on is replaced by the new one.
    serving.delete(worker)
    try {
      await openReady(fleet)
    } catch (error) {
      if (fleet.isStopping) return
      logger.error({ err: error }, 'not reloaded: a new worker does not start; the old ones go on')
      if (worker.isDead()) void replaceLost(fleet)
      else serving.set(worker, generation)
      return
    }
    await retire(worker, fleet)
  }
  if (!fleet.isStopping) logger.info('reloaded')
}

/** Ends a worker that was replaced, by force when it hangs: the reload must not wait for it for ever. */
async function retire(worker: Worker, { logger, retireMaxMs }: Fleet): Promise<void> {
  const deadline = setTimeout(() => {
    logger.error({ pid: worker.process.pid }, 'a replaced worker did not end in its time, and was killed')
    worker.process.kill('SIGKILL')
  }, retireMaxMs)
  await order(worker, 'retire')
  clearTimeout(deadline)
}

/** Gives a worker an order after which it ends; resolves when it has ended. */
async function order(worker: Worker, given: Exclude<Order, 'ready'>): Promise<void> {
  if (worker.isDead()) return
  const ended = new Promise((resolve) => worker.once('exit', resolve))
  tell(worker, given)
  await ended
}

/**
 * Sends an order. Node drops a message that arrives while a worker still loads its program. So the order is sent again
 * when the worker reports `loaded`, and when it reports `listening`, because an earlier version sends no `loaded`.
 */
function tell(worker: Worker, given: Order): void {
  // The message cannot be sent to a worker that has just ended. Its exit is handled anyway, so the error is ignored.
  const send = () => {
    if (worker.isConnected()) worker.send(given, () => {})
  }
  worker.on('message', ({ kind }: WorkerMessage) => {
    if (kind === 'loaded' || kind === 'listening') send()
  })
  send()
}

async function makeReady(worker: Worker): Promise<void> {
  if (!worker.isConnected()) throw new Error('a worker ended while it started')
  const ready = awaitMessage(worker, 'ready')
  tell(worker, 'ready')
  await ready
}

/** Ends a worker that does not become ready: a reload must not wait for it for ever. */
async function makeReadyInTime(worker: Worker, readyMaxMs: number): Promise<void> {
  let isLate = false
  const deadline = setTimeout(() => {
    isLate = true
    worker.process.kill('SIGKILL')
  }, readyMaxMs)
  try {
    await makeReady(worker)
  } catch (error) {
    if (!isLate) throw error
    throw new Error(`a worker was not ready after ${readyMaxMs / 1_000} seconds, and was ended`)
  } finally {
    clearTimeout(deadline)
  }
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
  const ended = untilOrdered('stop', 'retire', 'end')
  const ordered = untilOrdered('ready')
  let isReadyWanted = false
  void ordered.then(() => {
    isReadyWanted = true
  })
  void say({ kind: 'loaded' })
  let runtime: Runtime | undefined
  let listener: Listener | undefined
  // Without the first process nothing manages the database. The answers of suppliers are still written to a file.
  const { worker } = cluster
  worker?.once('disconnect', () => {
    // Node ends a worker at once whose first process has gone, unless the worker leaves by itself.
    worker.exitedAfterDisconnect = true
    const closed = listener?.close().catch((error: unknown) => logger.error({ err: error }, 'closing failed'))
    const end = () => process.exit(1)
    setTimeout(end, ORPHAN_MAX_MS).unref()
    void Promise.resolve(closed).then(end)
  })
  // A signal of the terminal reaches every process. The first process decides when to stop.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {})
  // The worker answers requests for metrics from now on, with an empty list until it has some.
  answerForMetrics(() => listener?.metrics)
  let failure: unknown
  let given: Exclude<Order, 'ready'> = 'end'
  try {
    runtime = await openRuntime(config, { purpose: 'worker' })
    listener = await openListener(runtime, logger, () => isReadyWanted)
    await say({ kind: 'listening', baseUrl: listener.baseUrl })
    if ((await Promise.race([ended, ordered])) === 'ready') {
      await listener.markReady()
      await say({ kind: 'ready' })
    }
    given = await ended
  } catch (error) {
    failure = error
    await say(failed(error))
  }
  const closing = listener && (await closeListener(listener, CLOSING[given], config))
  await runtime?.close()
  await closing?.closed
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

/** Resolves with the first of these orders. */
function untilOrdered<O extends Order>(...orders: readonly O[]): Promise<O> {
  return new Promise((resolve) => {
    process.on('message', (message) => {
      if ((orders as readonly unknown[]).includes(message)) resolve(message as O)
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
