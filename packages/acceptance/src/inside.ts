import { createRequire } from 'node:module'
import { inject } from 'vitest'
import type { Batch, CommandResult } from './process.ts'

// The service, and its commands, in the process of the tests: a process of its own costs half a second to start, and
// begins with code that nothing has warmed.

type Env = NodeJS.ProcessEnv
type Write = (text: string) => void

/** Exports of the bundled service (program.ts). */
type Inside = {
  readConfig(env: Env): { readonly logLevel: string }
  createLogger(level: string, destination: { write: Write }): object
  start(config: object, logger: object, options: { say: Write }): Promise<object>
  stop(running: object, config: object, manner: 'drain', say: Write): Promise<void>
  shareReach(): { readonly reach: object; close(): Promise<void> }
  main(args: readonly string[], io: object, env: Env, reach: object): Promise<number>
}

let loaded: Inside | undefined

function loadInside(): Inside {
  // The bundle imports by this name what it leaves in its place (first.cjs).
  Object.assign(globalThis, { importInPlace: (address: string) => import(address) })
  loaded ??= createRequire(inject('program'))('../dist/inside.js') as Inside
  return loaded
}

export type Opened = {
  /** Returns everything printed so far. */
  output(): string
  /** Finishes the requests under way, and closes everything. A second call returns the result of the first one. */
  close(): Promise<void>
}

const opened = new Set<Opened>()

/** Opens the service in this process. */
export async function openInside(environment: Env): Promise<Opened> {
  const { readConfig, createLogger, start, stop } = loadInside()
  const config = readConfig(environment)
  const texts: string[] = []
  const write = (text: string) => void texts.push(text)
  const say = (line: string) => write(`${line}\n`)
  const running = await start(config, createLogger(config.logLevel, { write }), { say })
  let closed: Promise<void> | undefined
  const service: Opened = {
    output: () => texts.join(''),
    close() {
      opened.delete(service)
      closed ??= stop(running, config, 'drain', say)
      return closed
    },
  }
  opened.add(service)
  return service
}

export async function closeOpened(): Promise<void> {
  await Promise.all([...opened].map((each) => each.close()))
}

/** Runs commands in this process, one after the other, on connections that they share. */
export function openBatch(environment: Env): Batch {
  const { main, shareReach } = loadInside()
  const { reach, close } = shareReach()
  let last: Promise<unknown> = Promise.resolve()
  const run = async (args: readonly string[]): Promise<CommandResult> => {
    const result = { stdout: '', stderr: '' }
    const io = {
      out: (text: string) => {
        result.stdout += text
      },
      err: (text: string) => {
        result.stderr += text
      },
      readInput: async () => '',
    }
    return { code: await main(args, io, environment, reach), ...result }
  }
  return {
    run(args) {
      const result = last.then(() => run(args))
      last = result.catch(() => {})
      return result
    },
    end: () => last.then(close),
  }
}
