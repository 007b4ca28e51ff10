import type { Tx } from '../../db/database.ts'
import { checkConfig, refuseProblems } from './connections/connections.rules.ts'
import {
  announceVersion,
  findConnectionRow,
  takeVersion,
  updateConnection,
} from './connections/connections.sql.ts'
import { parseHttpConfig } from './http/config.rules.ts'

/** Saves a configuration that differs in the supplier's codes of our products alone; it is checked like any other. */
export async function replaceProducts(tx: Tx, code: string, config: unknown): Promise<void> {
  const version = await takeVersion(tx)
  const row = await findConnectionRow(tx, code)
  if (row === undefined) throw new Error(`the provider ${code} is there while its codes change`)
  refuseProblems(checkConfig(config))
  const reading = row.kind === 'http' ? parseHttpConfig(config, Object.keys(row.secret_names)) : undefined
  if (reading?.ok === false) refuseProblems(reading.problems)
  await updateConnection(tx, { ...row, config, version })
  await announceVersion(tx)
}
