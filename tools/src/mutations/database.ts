import { readFileSync } from 'node:fs'
import pg from 'pg'
import type { Mutant } from './plan.ts'

export type Server = { host: string; port: number; user: string; password: string; template: string }
export type Template = Awaited<ReturnType<typeof openTemplate>>

const GONE_WITHIN_MS = 30_000

/**
 * Opens the run's template database for mutants of SQL functions: the databases that tests clone from it have the
 * function as it is then. `apply` says whether PostgreSQL takes the text.
 */
export async function openTemplate({ template, ...server }: Server) {
  const watcher = new pg.Client({ ...server, database: 'postgres' })
  await watcher.connect()
  const run = async (text: string) => {
    const client = new pg.Client({ ...server, database: template })
    await client.connect()
    try {
      await client.query(text)
      return true
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error
      return false
    } finally {
      await client.end()
      await leave(watcher, template)
    }
  }
  const textOf = ({ path }: Mutant) => readFileSync(path, 'utf8')
  return {
    apply(mutant: Mutant): Promise<boolean> {
      const text = textOf(mutant)
      return run(text.slice(0, mutant.start) + mutant.replacement + text.slice(mutant.end))
    },
    async restore(mutant: Mutant): Promise<void> {
      if (!(await run(textOf(mutant)))) throw new Error(`${mutant.path} cannot be put back`)
    },
    close: () => watcher.end(),
  }
}

/** Waits until nobody is connected: a database that is in use cannot be cloned. */
async function leave(watcher: pg.Client, template: string) {
  const giveUpAt = Date.now() + GONE_WITHIN_MS
  for (;;) {
    const { rows } = await watcher.query('select from pg_stat_activity where datname = $1', [template])
    if (rows.length === 0) return
    if (Date.now() > giveUpAt) throw new Error('somebody stays connected to the template database')
  }
}
