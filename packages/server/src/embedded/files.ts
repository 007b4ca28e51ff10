import { randomBytes } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { chmod, chown, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode } from './errors.ts'

export type Owner = { readonly uid: number; readonly gid: number }

type WriteOptions = { mode: number; owner?: Owner | undefined }

/**
 * Replaces a file as a whole: a reader sees the old text or the new one, also after a power failure. The file is
 * created exclusively and handed to its owner through the handle, because root also writes into directories of another
 * user, who may have planted a symbolic link there.
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

/** Writes a new file beside `path`, complete on disk, and returns its path. */
export async function writeTemporary(path: string, text: string, options: WriteOptions): Promise<string> {
  const temporary = `${path}.tmp-${randomBytes(6).toString('hex')}`
  const handle = await open(temporary, 'wx', options.mode)
  try {
    await handle.chmod(options.mode)
    await own(handle, options.owner)
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

async function own(handle: FileHandle, owner: Owner | undefined): Promise<void> {
  if (owner !== undefined) await handle.chown(owner.uid, owner.gid)
}

/** Makes the directory when missing, with this mode whatever the umask; an existing one stays as it is. */
export async function makeDir(dir: string, mode: number): Promise<void> {
  const created = await mkdir(dir, { recursive: true, mode })
  if (created !== undefined) await chmod(dir, mode)
}

/** Changes the owner of a directory that only we can have made. */
export async function handOver(dir: string, owner: Owner | undefined): Promise<void> {
  if (owner !== undefined) await chown(dir, owner.uid, owner.gid)
}

/** Returns the file's text, or undefined when there is no such file. */
export async function findText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Returns the file's JSON object, or undefined when there is no such file or it is not a JSON object. */
export async function findJson(path: string): Promise<Record<string, unknown> | undefined> {
  return parseObject(await findText(path))
}

export function parseObject(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

/** Lists the names in a directory; none when it does not exist. */
export async function listNames(dir: string): Promise<string[]> {
  try {
    return await readdir(dir)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
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

/** Returns the last `bytesMax` bytes of a log; empty when it cannot be read. */
export async function tail(path: string, bytesMax: number): Promise<string> {
  try {
    const handle = await open(path, 'r')
    try {
      const { size } = await handle.stat()
      const length = Math.min(size, bytesMax)
      const { buffer } = await handle.read({ buffer: Buffer.alloc(length), position: size - length })
      return buffer.toString('utf8')
    } finally {
      await handle.close()
    }
  } catch {
    return ''
  }
}

/** Removes what it can; the next start tries the leftovers again. */
export async function discard(dir: string, isLeftover: (name: string) => boolean): Promise<void> {
  for (const name of (await listNames(dir)).filter(isLeftover)) {
    await rm(join(dir, name), { recursive: true, force: true }).catch(() => {})
  }
}

function isMissing(error: unknown): boolean {
  const code = systemCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}
