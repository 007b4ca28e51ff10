import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Owner } from '../lib/replace-file.ts'
import { replaceFile } from '../lib/replace-file.ts'
import { findJson } from './files.ts'
import type { ProcessIdentity } from './process.ts'
import { parseIdentity } from './process.ts'

/**
 * Record of the process that started the server of a home, written before the server starts. It lies beside the cluster
 * and says whose server an orphan is: one that is not in here was started by hand, and is left alone.
 */
export type ServerRecord = {
  readonly supervisor: ProcessIdentity
  /** Server's process; unknown between the decision to start and the start. */
  readonly postmaster?: ProcessIdentity
  /** Fingerprint of the settings and programs it was started with: another one means it must be started anew. */
  readonly fingerprint: string
}

function recordPath(home: string): string {
  return join(home, 'postgres-server.json')
}

export async function findRecord(home: string): Promise<ServerRecord | undefined> {
  const value = await findJson(recordPath(home))
  const supervisor = parseIdentity(value?.supervisor)
  const postmaster = parseIdentity(value?.postmaster)
  const fingerprint = value?.fingerprint
  if (supervisor === undefined || typeof fingerprint !== 'string') return undefined
  return { supervisor, fingerprint, ...(postmaster === undefined ? {} : { postmaster }) }
}

export async function writeRecord(home: string, record: ServerRecord, owner?: Owner): Promise<void> {
  await replaceFile(recordPath(home), `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o644, owner })
}

export async function removeRecord(home: string): Promise<void> {
  await rm(recordPath(home), { force: true })
}
