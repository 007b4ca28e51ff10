import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { findRunningEmbedded } from './embedded/server.ts'
import { openRuntime } from './runtime.ts'

it('a start that is cancelled while its database server gets ready leaves no server behind', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'warung-cancelled-'))
  // The server runs as another user where the tests run as root, and stays in a directory that this user may enter.
  await chmod(dir, 0o755)
  const dataDir = join(dir, 'data')
  const cancel = new AbortController()
  const { signal } = cancel
  let isStarting = false
  // The signal comes in the last moment before anybody listens to it on behalf of the server.
  const listen = signal.addEventListener.bind(signal)
  signal.addEventListener = (...rest: Parameters<typeof listen>) => {
    if (isStarting) cancel.abort()
    listen(...rest)
  }
  try {
    const opening = openRuntime(readConfig({ WARUNG_DATA_DIR: dataDir }), {
      purpose: 'serve',
      signal,
      note(text) {
        isStarting ||= text === 'starting the database server'
      },
    })
    await expect(opening).rejects.toThrow('aborted')
    expect(await findRunningEmbedded(dataDir)).toBeUndefined()
  } finally {
    await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
})
