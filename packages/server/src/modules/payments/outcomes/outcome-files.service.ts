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
 * Sealed files of answers that could not be written to the database before their process ended. A file is written
 * once, whole, under a name that nobody else uses, and never changed: processes that share a directory cannot destroy
 * each other's files, and to read one that somebody else reads too is harmless.
 */
export type OutcomeFiles = {
  readonly directory: string
  /** Makes the directory; throws when files could not be written there. */
  prepare(): Promise<void>
  /** Full paths, oldest first. */
  list(): Promise<string[]>
  /** undefined: somebody else removed it. Throws when the file does not open: another key, or not whole. */
  read(path: string): Promise<StoredOutcome[] | undefined>
  /** Resolves with the path once the file would outlive a power failure. */
  save(outcomes: readonly StoredOutcome[]): Promise<string>
  /** Nothing happens when somebody else removed it first. */
  remove(path: string): Promise<void>
}

const SUFFIX = '.outcomes'
/** Not bound to the name of the file: an operator may move one to another node's directory. */
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
