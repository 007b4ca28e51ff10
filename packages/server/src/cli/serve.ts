import cluster from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Closing } from '../app/closing.ts'
import { startTail } from '../backup/log.ts'
import { hasMailbox } from '../config/mail.ts'
import { METRICS_PORT } from '../config/settings.ts'
import type { Config } from '../config.ts'
import { describeConfig } from '../config.ts'
import type { Demo } from '../demo/seed.ts'
import { prepareDemo } from '../demo/seed.ts'
import { AlreadyRunningError } from '../embedded/server.ts'
import type { MetricsServer } from '../http/metrics.ts'
import { serveMetrics } from '../http/metrics.ts'
import { RequestError } from '../lib/errors.ts'
import type { Schedule } from '../lib/repeat.ts'
import { createLogger } from '../logger.ts'
import { mailboxToken } from '../modules/alerts/mailbox/mailbox.service.ts'
import type { Runtime } from '../runtime.ts'
import { migrateGroups, openRuntime } from '../runtime.ts'
import { announce } from './announce.ts'
import type { Listener } from './listener.ts'
import { closeListener, openListener } from './listener.ts'
import { refuseTakenPorts } from './ports.ts'
import { keepObjectsYoung, runtimeWarning } from './runtimes.ts'
import { describeError } from './text.ts'
import { openWorkers, serveAsWorker } from './workers.ts'

/** Prints a line for a person. */
type Say = (text: string) => void

export type Running = {
  runtime: Runtime
  listener: Listener
  metrics: MetricsServer
  logger: Logger
  /** Copies the log that the server has not archived yet; undefined: there is no folder for it. */
  tail: Schedule | undefined
}

/** Runs the service until a signal ends it; returns the exit code. */
export async function serve(config: Config): Promise<number> {
  keepObjectsYoung()
  if (cluster.isWorker) return serveAsWorker(config)
  const logger = createLogger(config.logLevel)
  // Signals are handled from the first moment, so that a start that is interrupted leaves no database server behind.
  const asked = untilSignal(logger)
  let listener: Listener | undefined
  process.on('SIGUSR2', () => reload(listener, logger))
  say('Warung is starting.')
  const warning = runtimeWarning()
  if (warning !== undefined) say(warning)
  for (const [name, value] of Object.entries(describeConfig(config))) say(`  ${name.padEnd(26)}${value}`)
  const running = await startUnless(asked, config, logger)
  if (typeof running === 'number') return running
  listener = running.listener
  await asked
  await stop(running, config, 'drain', say)
  return 0
}

/** Replaces the processes that answer requests. Without this handler the signal would end the process. */
function reload(listener: Listener | undefined, logger: Logger): void {
  if (listener === undefined) logger.warn('not reloaded: the service is still starting')
  else if (listener.reload !== undefined) void listener.reload()
  else logger.warn('not reloaded: this needs WARUNG_PROCESSES of 2 or more; restart the service instead')
}

/** Time limit for the cleanup of an interrupted start. */
const GIVE_UP_MS = 5_000

/** Starts, unless a signal comes first. Returns the exit code if nothing runs in the end. */
async function startUnless(asked: Promise<void>, config: Config, logger: Logger): Promise<Running | number> {
  const giveUp = new AbortController()
  const started = start(config, logger, { signal: giveUp.signal, say })
  // Both promises are awaited below. A failure after the other one has won is ignored.
  started.catch(() => {})
  try {
    const first = await Promise.race([started, asked])
    if (first !== undefined) return first
  } catch (error) {
    const code = explainFailure(error, config)
    await flushed(logger)
    // Parts that were open already would keep the process alive, and no service manager would start it again.
    process.exit(code)
  }
  say('Stopping: the start is cancelled.')
  // The database is stopped while it is in use, which would fill the log with errors.
  logger.level = 'silent'
  giveUp.abort()
  const ended = started.then((running) => stop(running, config, 'at once', say)).catch(() => {})
  await Promise.race([ended, delay(GIVE_UP_MS)])
  await flushed(logger)
  say('Stopped.')
  // Work that still waits for the database would keep the process alive.
  process.exit(0)
}

/** Starts the service, which `stop` ends. Both leave signals and output to the caller: a process may run several. */
export async function start(
  config: Config,
  logger: Logger,
  { signal, say }: { signal?: AbortSignal; say: Say },
): Promise<Running> {
  await refuseTakenPorts(config)
  const note = (text: string) => {
    if (signal?.aborted !== true) say(`  ${text}`)
  }
  let listener: Listener | undefined
  const runtime = await openRuntime(config, {
    purpose: 'serve',
    note,
    ...(signal !== undefined && { signal }),
    onDatabaseLost: (detail) => {
      logger.fatal({ detail }, 'the embedded database stopped; start again to recover')
      void endWithout(listener, logger)
    },
  })
  let metrics: MetricsServer | undefined
  const tail = copyLog(runtime, logger)
  try {
    await migrateGroups(config, note)
    note('opening the service')
    listener =
      config.processes === 1 ? await openListener(runtime, logger) : await openWorkers(config, logger)
    metrics = await serveMetrics(listener.metrics, {
      host: config.metricsHost,
      port: config.metricsPort ?? METRICS_PORT,
      // In staging a taken default port must not keep a second node from starting.
      mayMove: config.metricsPort === undefined,
    })
    const { baseUrl } = listener
    const demo = await findDemo(runtime, baseUrl, { note, say })
    signal?.throwIfAborted()
    await runtime.describe(baseUrl)
    await listener.markReady()
    const mailboxUrl = hasMailbox(config)
      ? `${baseUrl}/mailbox?token=${mailboxToken(runtime.masterKeys)}`
      : undefined
    announce(say, {
      baseUrl,
      dashboardUrl: config.dashboardUrl ?? baseUrl,
      metricsUrl: metrics.url,
      mailboxUrl,
      demo,
    })
    return { runtime, listener, metrics, logger, tail }
  } catch (error) {
    await metrics?.close()
    await listener?.close()
    await tail?.stop()
    await runtime.close()
    throw error
  }
}

function copyLog({ config, database }: Runtime, logger: Logger): Schedule | undefined {
  const { dir } = config.backup
  if (dir === undefined || config.database.kind === 'external') return undefined
  const onProblem = (text: string, error: unknown) => logger.error({ err: error }, text)
  return startTail({ database, folder: dir, onProblem })
}

/** Time limit: longer than it takes to receive the answers in progress and to write them to a file. */
const DATABASE_LOST_MAX_MS = 30_000

/**
 * Ends the process after the database is lost. Answers of suppliers, also those in progress, go to a file for the next
 * start.
 */
async function endWithout(listener: Listener | undefined, logger: Logger): Promise<never> {
  const closed = listener?.close().catch((error: unknown) => logger.error({ err: error }, 'closing failed'))
  await Promise.race([closed, delay(DATABASE_LOST_MAX_MS, undefined, { ref: false })])
  logger.flush()
  process.exit(1)
}

/**
 * Finds the demo. The service also starts when the demo has reached its limit of keys, on a database that many nodes
 * have shared.
 */
async function findDemo(
  runtime: Runtime,
  baseUrl: string,
  { note, say }: { note: Say; say: Say },
): Promise<Demo | undefined> {
  try {
    const dashboardUrl = runtime.config.dashboardUrl ?? `${baseUrl}/`
    return await prepareDemo(runtime, { baseUrl, dashboardUrl }, note)
  } catch (error) {
    if (!(error instanceof RequestError && error.code === 'limit_reached')) throw error
    say(`  no demo credentials for this node: ${error.publicText} Revoke some, then start again.`)
    return undefined
  }
}

export async function stop(
  { runtime, listener, metrics, logger, tail }: Running,
  config: Config,
  manner: Closing,
  say: Say,
): Promise<void> {
  const first =
    manner === 'drain' && config.drainMs > 0
      ? `requests are taken for ${config.drainMs / 1_000} seconds more, and those`
      : 'requests'
  say(`Stopping: ${first} under way are finished first. Ctrl-C again ends at once.`)
  const { closed } = await closeListener(listener, manner, config)
  await metrics.close()
  await tail?.stop()
  await runtime.close()
  await closed
  await flushed(logger)
  say('Stopped.')
}

/** Resolves when every line is written, so that no line follows the last one. */
function flushed(logger: Logger): Promise<void> {
  return new Promise((resolve) => logger.flush(() => resolve()))
}

/**
 * Time within which two signals count as one: Ctrl-C comes from the terminal, and again from npm, which forwards it.
 */
const SAME_SIGNAL_MS = 1_000

/** Resolves at the first signal. A second one ends the process at once, as kill -9 would. */
function untilSignal(logger: Logger): Promise<void> {
  return new Promise((resolve) => {
    let askedAtMs: number | undefined
    const ask = (signal: NodeJS.Signals) => {
      if (askedAtMs === undefined) {
        askedAtMs = performance.now()
        logger.info({ signal }, 'stopping')
        resolve()
      } else if (performance.now() - askedAtMs > SAME_SIGNAL_MS) process.exit(130)
    }
    process.on('SIGINT', ask)
    process.on('SIGTERM', ask)
    process.on('SIGHUP', ask)
  })
}

function explainFailure(error: unknown, config: Config): number {
  if (error instanceof AlreadyRunningError) {
    const where = error.ownerNote === undefined ? '' : ` at ${error.ownerNote}`
    complain(
      `Warung is already running${where} (process ${error.ownerPid}) on ${config.dataDir}.`,
      'Nothing was changed. Stop it first, or give this one a place of its own with WARUNG_DATA_DIR.',
    )
    return 1
  }
  const { syscall, port } = error as NodeJS.ErrnoException & { port?: number }
  // A worker binds through the first process, so its error names bind.
  if (syscall === 'listen' || syscall === 'bind') {
    const what = port !== undefined && port === config.metricsPort ? 'WARUNG_METRICS_' : 'WARUNG_'
    complain(
      `Warung could not start: ${(error as Error).message}`,
      `Set ${what}PORT to another port (0 picks a free one), or ${what}HOST to an address of this machine.`,
    )
    return 1
  }
  complain(`Warung could not start: ${describeError(error)}`)
  return 1
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function complain(...lines: string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`)
}
