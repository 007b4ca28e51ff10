import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { openApp } from '../packages/server/dist/app.js'
import { keepObjectsYoung } from '../packages/server/dist/cli/runtimes.js'
import { readConfig } from '../packages/server/dist/config.js'
import { prepareDemo } from '../packages/server/dist/demo/seed.js'
import { createLogger, LOG_BUFFER_BYTES } from '../packages/server/dist/logger.js'
import { openRuntime } from '../packages/server/dist/runtime.js'

/** Starts the service in this process, on its own embedded database, durable as by default. */
export async function startService(environment = {}) {
  keepObjectsYoung()
  const dataDir = await mkdtemp(join(tmpdir(), 'warung-bench-'))
  const config = readConfig({
    WARUNG_PORT: '0',
    WARUNG_DATA_DIR: dataDir,
    WARUNG_RATE_EXEMPT: '127.0.0.0/8',
    ...environment,
  })
  const runtime = await openRuntime(config, { purpose: 'serve' })
  // Every request writes its log line, as in service; the lines are discarded.
  const nowhere = pino.destination({ dest: '/dev/null', sync: false, minLength: LOG_BUFFER_BYTES })
  const app = await openApp(runtime, createLogger('info', nowhere))
  const baseUrl = await app.listen()
  const demo = await prepareDemo(runtime, { baseUrl, dashboardUrl: `${baseUrl}/` })
  await app.markReady()
  const [reseller] = demo.credentials.resellers
  const more = []
  let closed
  const close = () => {
    closed ??= app.close()
    return closed
  }
  return {
    baseUrl,
    runtime,
    pid: process.pid,
    app: { ...app, close },
    credentials: { apiKey: reseller.api_key, signingSecret: reseller.signing_secret },
    /** Opens another node on the same database, in this process too. */
    async openNode(changes = {}) {
      const node = await openApp(
        { ...runtime, config: { ...config, ...changes } },
        createLogger('info', nowhere),
      )
      const url = await node.listen()
      await node.markReady()
      more.push(node)
      return { baseUrl: url, app: node, runtime, pid: process.pid }
    },
    async stop() {
      for (const node of more) await node.close()
      await close()
      await runtime.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const WARUNGD = fileURLToPath(new URL('../packages/server/bin/warungd.js', import.meta.url))

/**
 * Launches the service as an operator runs it: a process for every core, on an embedded database in `dataDir`. `command`
 * is the runtime with its arguments.
 */
export async function launchService(
  dataDir,
  environment = {},
  command = [process.execPath, ...process.execArgv],
) {
  const [program, ...args] = command
  const settings = {
    WARUNG_PORT: '0',
    WARUNG_METRICS_PORT: '0',
    WARUNG_DATA_DIR: dataDir,
    WARUNG_RATE_EXEMPT: '127.0.0.0/8',
    WARUNG_PROCESSES: String(availableParallelism()),
    ...environment,
  }
  const child = spawn(program, [...args, WARUNGD, 'serve'], {
    env: { ...process.env, ...settings },
    // Every request writes its log line, as in service; the lines are discarded.
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const baseUrl = await untilReady(child, dataDir)
  const runtime = await openRuntime(readConfig(settings), { purpose: 'command' })
  return {
    baseUrl,
    runtime,
    pid: child.pid,
    async stop() {
      await runtime.close()
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function untilReady(child, dataDir) {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`)
    try {
      const { base_url: baseUrl } = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'))
      if ((await fetch(`${baseUrl}/readyz`)).ok) return baseUrl
    } catch {
      // The service is not ready yet.
    }
    await delay(50)
  }
}
