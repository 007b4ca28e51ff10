import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { openApp } from '../../../packages/server/dist/app.js'
import { keepObjectsYoung } from '../../../packages/server/dist/cli/runtimes.js'
import { readConfig } from '../../../packages/server/dist/config.js'
import { prepareDemo } from '../../../packages/server/dist/demo/seed.js'
import { createLogger, LOG_BUFFER_BYTES } from '../../../packages/server/dist/logger.js'
import type { Runtime } from '../../../packages/server/dist/runtime.js'
import { openRuntime } from '../../../packages/server/dist/runtime.js'
import type { Credentials } from './signed.ts'
import type { Tree } from './tree.ts'
import { THIS_TREE } from './tree.ts'

export type Service = { baseUrl: string; runtime: Runtime; pid: number; tree: Tree; stop(): Promise<void> }
export type LocalService = Service & { credentials: Credentials }

/** Starts the service in this process, on its own embedded database, durable as by default. */
export async function startService(): Promise<LocalService> {
  keepObjectsYoung()
  const dataDir = await mkdtemp(join(tmpdir(), 'warung-bench-'))
  const config = readConfig({
    WARUNG_PORT: '0',
    WARUNG_DATA_DIR: dataDir,
    WARUNG_RATE_EXEMPT: '127.0.0.0/8',
  })
  const runtime = await openRuntime(config, { purpose: 'serve' })
  const app = await openApp(runtime, openDiscardingLog())
  const baseUrl = await app.listen()
  const demo = await prepareDemo(runtime, { baseUrl, dashboardUrl: `${baseUrl}/` })
  await app.markReady()
  const [reseller] = demo?.credentials.resellers ?? []
  if (reseller === undefined) throw new Error('the demo has no reseller')
  return {
    baseUrl,
    runtime,
    pid: process.pid,
    tree: THIS_TREE,
    credentials: { apiKey: reseller.api_key, signingSecret: reseller.signing_secret },
    async stop() {
      await app.close()
      await runtime.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Opens the log of a measured service: every request writes its line, as in service, and the lines are discarded. */
export function openDiscardingLog() {
  const nowhere = pino.destination({ dest: '/dev/null', sync: false, minLength: LOG_BUFFER_BYTES })
  return createLogger('info', nowhere)
}

/** Launches the service as an operator runs it: a process for every core, on an embedded database in `dataDir`. */
export async function launchService(
  dataDir: string,
  environment: NodeJS.ProcessEnv = {},
  tree = THIS_TREE,
): Promise<Service> {
  const settings = {
    WARUNG_PORT: '0',
    WARUNG_METRICS_PORT: '0',
    WARUNG_DATA_DIR: dataDir,
    WARUNG_RATE_EXEMPT: '127.0.0.0/8',
    WARUNG_PROCESSES: String(availableParallelism()),
    ...environment,
  }
  const child = spawn(process.execPath, [...process.execArgv, tree.warungd, 'serve'], {
    env: { ...process.env, ...settings },
    // Every request writes its log line, as in service; the lines are discarded.
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const baseUrl = await untilReady(child, dataDir)
  const runtime = await tree.openRuntime(tree.readConfig(settings), { purpose: 'command' })
  return {
    baseUrl,
    runtime,
    pid: child.pid ?? Number.NaN,
    tree,
    async stop() {
      await runtime.close()
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function untilReady(child: ChildProcess, dataDir: string) {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`)
    try {
      const text = await readFile(join(dataDir, 'demo.json'), 'utf8')
      const { base_url: baseUrl } = JSON.parse(text) as { base_url: string }
      if ((await fetch(`${baseUrl}/readyz`)).ok) return baseUrl
    } catch {
      // The service is not ready yet.
    }
    await delay(50)
  }
}
