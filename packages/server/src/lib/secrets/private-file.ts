import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Owner } from '../replace-file.ts'
import { removeAbandoned, replaceFile, syncDir } from '../replace-file.ts'

/**
 * Replaces a file that only its owner may read. A reader sees the old text or the new one, also after a power failure
 * and while several processes write. When root runs this, the file gets the owner of the directory, who may start the
 * service next time.
 */
export async function replacePrivateFile(path: string, text: string): Promise<void> {
  const dir = dirname(path)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  await removeAbandoned(path)
  await replaceFile(path, text, { mode: 0o600, owner: await ownerOf(dir) })
  await syncDir(dir)
}

async function ownerOf(dir: string): Promise<Owner | undefined> {
  return process.getuid?.() === 0 ? stat(dir) : undefined
}
