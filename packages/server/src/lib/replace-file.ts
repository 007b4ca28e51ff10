import { randomBytes } from 'node:crypto'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

export type Owner = { readonly uid: number; readonly gid: number }

export type WriteOptions = { readonly mode: number; readonly owner?: Owner | undefined }

/**
 * Replaces a file as a whole: a reader sees the old text or the new one, also after a power failure. The file is
 * created exclusively and handed to its owner through the handle, because root also writes into directories of another
 * user, who may have planted a symbolic link there. Several processes may replace one file at the same time: each has
 * a temporary file of its own, and the last rename decides.
 */
export async function replaceFile(path: string, text: string, options: WriteOptions): Promise<void> {
  const temporary = await writeTemporary(path, text, options)
  try {
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

const TEMPORARY = '.tmp-'

/** Writes a new file beside `path`, complete on disk, and returns its path. */
export async function writeTemporary(path: string, text: string, options: WriteOptions): Promise<string> {
  const temporary = `${path}${TEMPORARY}${randomBytes(6).toString('hex')}`
  const handle = await open(temporary, 'wx', options.mode)
  try {
    await handle.chmod(options.mode)
    if (options.owner !== undefined) await handle.chown(options.owner.uid, options.owner.gid)
    await handle.writeFile(text)
    await handle.sync()
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  return temporary
}

/** Age of a temporary file whose writer must be gone: a write takes a moment. */
const ABANDONED_MS = 60 * 60_000

/** Removes temporary files of `path` that crashed writers left. Files of writers at work stay. */
export async function removeAbandoned(path: string): Promise<void> {
  const dir = dirname(path)
  const prefix = `${basename(path)}${TEMPORARY}`
  for (const name of await readdir(dir)) {
    if (!name.startsWith(prefix)) continue
    const file = join(dir, name)
    // Another process may remove it at the same moment.
    const found = await stat(file).catch(() => undefined)
    if (found !== undefined && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(file, { force: true })
  }
}

/** Throws an error that names the file: one of a write to an open file does not. */
export function unwritable(path: string, cause: unknown): never {
  throw new Error(`${path} cannot be written`, { cause })
}

/** Makes a rename or a new entry in `dir` survive a power failure. Windows cannot open directories. */
export async function syncDir(dir: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(dir, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
