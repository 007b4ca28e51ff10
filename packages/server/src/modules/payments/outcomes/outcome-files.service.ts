import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Vault } from '../../../db/vault.ts'
import { withFreshKeys } from '../../../db/vault.ts'
import { replacePrivateFile } from '../../../lib/secrets/private-file.ts'
import type { StoredOutcome } from './outcomes.rules.ts'
import { decodeOutcomes, encodeOutcomes } from './outcomes.rules.ts'

/**
 * Sealed files of answers that could not be written to the database before their process ended. A file is written once,
 * whole, under a unique name, and never changed. So processes that share a directory cannot destroy each other's files,
 * and two processes may read the same file.
 */
export type OutcomeFiles = {
  readonly directory: string
  /** Creates the directory; throws when files could not be written there. */
  prepare(): Promise<void>
  /** Lists full paths, oldest first. */
  list(): Promise<string[]>
  /**
   * Reads a file; undefined: another process removed it. Throws when the file does not open: another key, or not
   * complete.
   */
  read(path: string): Promise<StoredOutcome[] | undefined>
  /** Saves a file; resolves with its path when the file would survive a power failure. */
  save(outcomes: readonly StoredOutcome[]): Promise<string>
  /** Removes a file; does nothing when another process removed it first. */
  remove(path: string): Promise<void>
}

const SUFFIX = '.outcomes'
/** Context of the seal. It does not name the file: an operator may move a file to another node's directory. */
const SEAL_CONTEXT = 'outcomes'
const BYTES_MAX = 256 * 1024 * 1024

export function createOutcomeFiles({
  directory,
  vault,
}: {
  readonly directory: string
  readonly vault: Vault
}): OutcomeFiles {
  return {
    directory,
    async prepare() {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      await access(directory, constants.R_OK | constants.W_OK | constants.X_OK)
    },
    async list() {
      const names = await readdir(directory)
      return names
        .filter((name) => name.endsWith(SUFFIX))
        .sort()
        .map((name) => join(directory, name))
    },
    async read(path) {
      const content = await readContent(path)
      if (content === undefined) return undefined
      const sealed = Buffer.from(content, 'base64')
      const text = await withFreshKeys(vault, () => vault.open(SEAL_CONTEXT, sealed).toString('utf8'))
      return decodeOutcomes(text)
    },
    async save(outcomes) {
      const path = join(directory, `${Date.now()}-${process.pid}-${randomUUID()}${SUFFIX}`)
      const sealed = vault.seal(SEAL_CONTEXT, Buffer.from(encodeOutcomes(outcomes), 'utf8'))
      await replacePrivateFile(path, `${sealed.toString('base64')}\n`)
      return path
    },
    remove: (path) => rm(path, { force: true }),
  }
}

async function readContent(path: string): Promise<string | undefined> {
  try {
    const { size } = await stat(path)
    if (size > BYTES_MAX) throw new Error(`it has ${size} bytes`)
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
