import { createServer } from 'node:net'
import type { Config } from '../config.ts'
import { claimDataDir, hasEmbeddedCluster } from '../embedded/server.ts'

/**
 * Refuses a port in use before anything is made: a first start would otherwise create and fill a database, and then
 * fail. If this very service has the port, the error says so.
 */
export async function refuseTakenPorts(config: Config): Promise<void> {
  try {
    await refuseTaken(config.host, config.port)
    if (config.metricsPort !== undefined) await refuseTaken(config.metricsHost, config.metricsPort)
  } catch (error) {
    if (config.database.kind === 'embedded') await refuseRunning(config.dataDir)
    throw error
  }
}

function refuseTaken(host: string, port: number): Promise<void> {
  if (port === 0) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()))
  })
}

/** Throws AlreadyRunningError when a running process has the data directory. */
async function refuseRunning(dataDir: string): Promise<void> {
  if (!(await hasEmbeddedCluster(dataDir))) return
  const claim = await claimDataDir(dataDir)
  await claim.release()
}
