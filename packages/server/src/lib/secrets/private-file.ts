import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Replaces a file that only its owner may read. A reader sees the old text or the new one, also after a power failure.
 * When root runs this, the file gets the owner of the directory, who may start the service next time.
 */
export async function replacePrivateFile(path: string, text: string): Promise<void> {
  const dir = dirname(path)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const temporary = `${path}.tmp`
  // The file may be left by a crash or planted. It is created anew, so that nothing is written through a link.
  await rm(temporary, { force: true })
  const handle = await open(temporary, 'wx', 0o600)
  try {
    if (process.getuid?.() === 0) {
      const { uid, gid } = await stat(dir)
      await handle.chown(uid, gid)
    }
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temporary, path)
  await syncDirectory(dir)
}

/** Makes the rename outlive a power failure. Windows cannot open directories. */
async function syncDirectory(dir: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(dir, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
