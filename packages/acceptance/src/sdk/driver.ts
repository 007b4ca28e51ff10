import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { TOOLS_PATH } from '../tools/installed.ts'
import type { DriverKind } from './drivers.ts'

// Process around one client (driver.md).

/** Error of a client, as its driver shows it. */
export type ClientError = {
  readonly class: string
  readonly token?: string | null
  readonly code?: number | null
  readonly status?: number | null
  readonly requestId?: string | null
  readonly retrySafe?: boolean | null
  readonly message: string
  readonly refid?: string | null
  readonly payment?: Readonly<Record<string, unknown>> | null
  readonly errors?: Readonly<Record<string, string[]>> | null
  readonly problems?: readonly { field: string; message: string }[] | null
}

export type Result<T> = { readonly ok: T } | { readonly error: ClientError }

export type Driver = {
  /** Gives a command; returns its result. */
  try<T = unknown>(name: string, members?: object): Promise<Result<T>>
  /** Gives a command that must succeed. */
  do<T = unknown>(name: string, members?: object): Promise<T>
  /** Gives a command that must fail with an error of the client. */
  fail(name: string, members?: object): Promise<ClientError>
  /** Kills the process, as a power failure does. */
  kill(): Promise<void>
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>
  end(): Promise<void>
}

export async function startDriver(kind: DriverKind, settings: object): Promise<Driver> {
  const { file, args, cwd } = await kind.prepare()
  const child = spawn(file, [...args], {
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: TOOLS_PATH, HOME: cwd, LANG: 'C.UTF-8' },
  })
  const driver = wrap(child)
  await driver.do('configure', { settings })
  return driver
}

function wrap(child: ChildProcess): Driver {
  const { stdin, stdout, stderr } = child
  if (stdin === null || stdout === null || stderr === null) throw new Error('the driver has no pipes')
  let said = ''
  stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8')
  })
  stdin.on('error', () => {})
  const waiting = new Map<number, (result: Result<never>) => void>()
  createInterface({ input: stdout }).on('line', (line) => {
    const { id, ...result } = JSON.parse(line) as { id: number } & Result<never>
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      const message = `the driver ended with ${code}: ${said}`
      for (const resolveResult of waiting.values())
        resolveResult({ error: { class: 'DriverEnded', message } })
      waiting.clear()
      resolve(code)
    })
  })
  let last = 0
  const attempt = <T>(name: string, members: object = {}) =>
    new Promise<Result<T>>((resolve) => {
      last += 1
      waiting.set(last, resolve as (result: Result<never>) => void)
      stdin.write(`${JSON.stringify({ id: last, do: name, ...members })}\n`)
    })
  return {
    try: attempt,
    async do<T>(name: string, members?: object) {
      const result = await attempt<T>(name, members)
      if ('ok' in result) return result.ok
      throw new Error(`${name}: ${JSON.stringify(result.error)}`)
    },
    async fail(name, members) {
      const result = await attempt(name, members)
      if ('error' in result) return result.error
      throw new Error(`${name} succeeded: ${JSON.stringify(result.ok)}`)
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    ended,
    async end() {
      stdin.end()
      await ended
    },
  }
}
