// Miniature of the service for crash.test.ts: it claims, starts, reports what happens, and waits for commands.
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { AlreadyRunningError, claimDataDir, startEmbedded } from './embedded/server.js'

const tell = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)
const refusal = (error) =>
  error instanceof AlreadyRunningError
    ? { refused: error.ownerPid, note: error.ownerNote }
    : { failed: error.message }
const { dataDir, mode, settings, dirs, at } = JSON.parse(process.argv[2])
process.on('SIGINT', () => tell({ interrupted: true }))

if (mode === 'race') {
  const won = []
  for (const [index, dir] of dirs.entries()) {
    // All processes wake up a little early and start at the same instant.
    await delay(at + index * 40 - Date.now() - 10)
    while (Date.now() < at + index * 40) {}
    try {
      await claimDataDir(dir)
      won.push(index)
    } catch (error) {
      if (!(error instanceof AlreadyRunningError)) tell(refusal(error))
    }
  }
  tell({ won })
} else {
  try {
    const claim = mode === 'unclaimed' ? undefined : await claimDataDir(dataDir)
    await claim?.describe(`I am ${process.pid}`)
    const server = await startEmbedded({
      dataDir,
      settings,
      note: (note) => tell({ note }),
      onUnexpectedExit: (lost) => tell({ lost }),
    })
    tell({ ready: true, adopted: server.adopted, connection: server.connection })
    for await (const line of createInterface({ input: process.stdin })) {
      if (line === 'stop') {
        await server.stop()
        await claim?.release()
        process.exit(0)
      }
    }
  } catch (error) {
    tell(refusal(error))
    process.exit(1)
  }
}
setInterval(() => {}, 1000)
