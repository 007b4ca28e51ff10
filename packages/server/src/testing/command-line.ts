import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main } from '../cli/main.ts'
import type { Env } from '../config.ts'
import type { TestDatabase } from './database.ts'
import { openTestDatabase } from './database.ts'

export type Ran = { readonly code: number; readonly out: string; readonly err: string }

/** `warungd` in this process, with its own database and folder. */
export type CommandLine = {
  readonly test: TestDatabase
  readonly folder: string
  readonly env: Env
  run(...args: string[]): Promise<Ran>
  /** Runs a command with `input` on standard input. */
  runWith(input: string, ...args: string[]): Promise<Ran>
  close(): Promise<void>
}

export async function openCommandLine(): Promise<CommandLine> {
  const test = await openTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'warung-command-'))
  const env = {
    DATABASE_URL: test.url,
    WARUNG_MASTER_KEY: test.masterKey.bytes.toString('base64'),
    WARUNG_DATA_DIR: folder,
  }

  async function runWith(input: string, ...args: string[]): Promise<Ran> {
    const said = { out: '', err: '' }
    const take = (where: keyof typeof said) => (text: string) => {
      said[where] += text
    }
    const io = { out: take('out'), err: take('err'), readInput: async () => input }
    return { code: await main(args, io, env), ...said }
  }

  return {
    test,
    folder,
    env,
    run: (...args) => runWith('', ...args),
    runWith,
    async close() {
      await test.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Returns a command's notes without the reference, which commands that move money print first. */
export function withoutReference(err: string): string {
  return err.replace(/^reference: .*\n/, '')
}
