import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import type { Owner } from '../lib/replace-file.ts'
import { unwritable } from '../lib/replace-file.ts'
import type { BackedUpFile } from './folder.ts'

/** Writer of one file that is hashed on its way and complete on the disk when it is closed. */
export type HashedFile = {
  write(chunk: Buffer): Promise<void>
  close(): Promise<BackedUpFile>
  /** Closes it without a promise that it is complete. */
  abandon(): Promise<void>
}

export async function createHashedFile(path: string, name: string, owner?: Owner): Promise<HashedFile> {
  const handle = await open(path, 'wx', 0o600)
  if (owner !== undefined) await handle.chown(owner.uid, owner.gid)
  const hash = createHash('sha256')
  let bytes = 0
  return {
    async write(chunk) {
      hash.update(chunk)
      bytes += chunk.length
      await writeAll(handle, chunk).catch((error: unknown) => unwritable(path, error))
    },
    async close() {
      await handle.sync().catch((error: unknown) => unwritable(path, error))
      await handle.close()
      return { name, bytes, sha256: hash.digest('hex') }
    },
    abandon: () => handle.close().catch(() => {}),
  }
}

/** Writes all bytes at the handle's position, or at a given one. */
export async function writeAll(handle: FileHandle, chunk: Buffer, position?: number): Promise<void> {
  for (let written = 0; written < chunk.length; ) {
    const at = position === undefined ? null : position + written
    const { bytesWritten } = await handle.write(chunk, written, chunk.length - written, at)
    written += bytesWritten
  }
}

export async function hashFile(path: string): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 1_048_576 })) {
    hash.update(chunk as Buffer)
    bytes += (chunk as Buffer).length
  }
  return { bytes, sha256: hash.digest('hex') }
}
