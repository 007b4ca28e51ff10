import { chmod, chown, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Owner } from '../lib/replace-file.ts'
import { systemCode } from './errors.ts'

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
