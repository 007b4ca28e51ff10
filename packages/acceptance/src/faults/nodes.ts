import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Launched } from '../process.ts'
import { launch } from '../process.ts'
import { runtimeArgs } from '../runtime.ts'
import { environmentOf, makeDirectory, until, untilReady } from '../service.ts'
import type { TcpProxy } from './tcp-proxy.ts'
import { proxyDatabase, startTcpProxy } from './tcp-proxy.ts'

// One node of the service, with the links that clients and the node itself use.

const CONTROL = fileURLToPath(new URL('./control.cjs', import.meta.url))

/** Time after which a process has read its control file. */
const CONTROL_READ_MS = 200

/** Place of the code at which a node ends or stops itself, the so-many-th time that it gets there. */
export type Trap = { readonly place: string; readonly times: number; readonly signal: 'SIGKILL' | 'SIGSTOP' }

export type FaultyNode = {
  readonly index: number
  /** Address through the link between clients and the node. */
  readonly url: string
  readonly clientLink: TcpProxy
  readonly databaseLink: TcpProxy
  /** True while a fault has the node: it is dead, frozen or about to be. */
  isTaken: boolean
  start(): Promise<void>
  /** Sets the trap of the running process; undefined: takes the last one away. Resolves when the process knows it. */
  setTrap(trap: Trap | undefined): Promise<void>
  kill(): Promise<void>
  signal(name: NodeJS.Signals): void
  /** Resolves when the process has ended or has stopped itself; false: it did neither in time. */
  untilHalted(withinMs: number): Promise<boolean>
  isRunning(): boolean
  /** Sets the wall clock of the node off by so much. */
  moveClock(ms: number): Promise<void>
  /** Says whether a stop of the process is a suspension of its machine; resolves when the process knows it. */
  setSuspending(isSuspending: boolean): Promise<void>
  close(): Promise<void>
}

/** Content of the control file. A new number makes a new trap. */
type Control = {
  readonly offByMs: number
  readonly isSuspending: boolean
  readonly trap: { readonly number: number } & Partial<Trap>
}

export type NodeOptions = {
  readonly index: number
  /** Environment of every node, with the address of the database. */
  readonly environment: Readonly<Record<string, string>>
  /** Program of the service; by default the one that all tests run. */
  readonly program: string | undefined
  /** Called when the process ends and nobody has ended it. */
  onDeath(text: string): void
}

export async function createNode({ index, environment, program, onDeath }: NodeOptions): Promise<FaultyNode> {
  const port = await findFreePort()
  const dataDir = await makeDirectory()
  const controlFile = join(dataDir, 'control.json')
  const clientLink = await startTcpProxy({ host: '127.0.0.1', port })
  const { proxy: databaseLink, url } = await proxyDatabase(String(environment.DATABASE_URL))
  const settings = {
    ...environment,
    DATABASE_URL: url,
    WARUNG_PORT: String(port),
    FAULTS_CONTROL_FILE: controlFile,
    NODE_OPTIONS: `--require ${CONTROL}`,
  }
  let control: Control = { offByMs: 0, isSuspending: false, trap: { number: 0 } }
  const write = async (change: Partial<Control>) => {
    control = { ...control, ...change }
    await writeFile(controlFile, JSON.stringify(control))
    await new Promise((resolve) => setTimeout(resolve, CONTROL_READ_MS))
  }
  let current: Launched | undefined
  /** Processes that the harness ends: their deaths are no news. */
  const wanted = new Set<number>()

  const node: FaultyNode = {
    index,
    url: `http://127.0.0.1:${clientLink.port}`,
    clientLink,
    databaseLink,
    isTaken: false,
    async start() {
      const args = program === undefined ? {} : { args: [...runtimeArgs(), program, 'serve'] }
      const started = launch(environmentOf({ environment: settings }, dataDir), args)
      current = started
      // A start that fails, because the database is away, is tried again by whoever wanted it.
      await untilReady(started)
      void started.ended.then(({ code, signal }) => {
        if (wanted.has(started.pid)) return
        onDeath(`node ${index} ended with ${code ?? signal}: ${lastLines(started.output())}`)
      })
    },
    async setTrap(trap) {
      if (trap?.signal === 'SIGKILL' && current !== undefined) wanted.add(current.pid)
      await write({ trap: { number: control.trap.number + 1, ...trap } })
      // A process that was not ended by its trap must not end later.
      if (trap === undefined && current?.hasEnded() === false) wanted.delete(current.pid)
    },
    async kill() {
      if (current === undefined) return
      wanted.add(current.pid)
      current.signal('SIGKILL')
      await current.ended
    },
    signal: (name) => current?.signal(name),
    async untilHalted(withinMs) {
      const watched = current
      const deadline = performance.now() + withinMs
      while (watched !== undefined) {
        if (/^[TZX]?$/.test(await stateOf(watched.pid))) return true
        if (performance.now() >= deadline) break
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      return false
    },
    isRunning: () => current?.hasEnded() === false,
    moveClock: (offByMs) => write({ offByMs }),
    setSuspending: (isSuspending) => write({ isSuspending }),
    async close() {
      await node.kill()
      await clientLink.close()
      await databaseLink.close()
    },
  }
  return node
}

const LAST_CHARACTERS = 1_500

function lastLines(output: string): string {
  return output.slice(-LAST_CHARACTERS)
}

/** Returns the state of a process as the system shows it: `T` stopped, `Z` ended; empty: there is none. */
async function stateOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return /\) (\S) /.exec(stat)?.[1] ?? ''
}

/** Finds a port that is free now; the node keeps it over its restarts. */
async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port is free')
  return address.port
}

/** Starts a node until it runs: a start fails while its database is away. */
export async function startPersistently(node: FaultyNode): Promise<void> {
  await until(
    `node ${node.index} runs`,
    () =>
      node.start().then(
        () => true,
        () => false,
      ),
    180_000,
  )
}
