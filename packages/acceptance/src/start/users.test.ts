import { execFile } from 'node:child_process'
import { chmod, chown, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { readBalance } from '../clients.ts'
import { balanceOf } from '../edge.ts'
import { canRunAsPlainUser, findPostmaster, INSTALLED, plainUser, runWarungd } from '../process.ts'
import { makeDirectory, startService, stopServices } from '../service.ts'

afterAll(stopServices)

/** Command of the installed files, which another user can read too. */
const SERVE = [INSTALLED, 'serve']
const START = fileURLToPath(new URL('../../../../scripts/start.js', import.meta.url))

/** Makes a home of a user that is not root, in which the data directory does not exist yet. */
async function makeHome(): Promise<string> {
  const home = await makeDirectory()
  const user = plainUser()
  await chmod(home, 0o755)
  if (user !== undefined) await chown(home, user.uid, user.gid)
  return home
}

describe.skipIf(!(await canRunAsPlainUser()))('as a plain user', () => {
  it('runs in a directory that is its own alone, whatever its name', async () => {
    const home = await makeHome()
    // The name breaks a careless command line, configuration file or shell example.
    const dataDir = join(home, `Ana's "data" $HOME`)
    const launch = { args: SERVE, user: plainUser(), cwd: home }
    let service = await startService({ dataDir, launch })
    const { mode, uid } = await stat(dataDir)
    expect(mode & 0o777).toBe(0o700)
    expect(uid).toBe(plainUser()?.uid ?? process.getuid?.())
    expect((await stat(join(dataDir, 'demo.json'))).mode & 0o777).toBe(0o600)
    expect(await readBalance(service, service.credentials)).toBe(1_250_000)

    const command = /to copy and paste:\n\n(.+?\n')\n/s.exec(service.output())?.[1]
    const { stdout } = await promisify(execFile)('sh', ['-c', command ?? 'exit 1'], { cwd: home })
    expect(stdout).toMatch(/^200 /)

    await service.kill9()
    service = await startService({ dataDir, launch })
    expect(service.output()).toContain('adopting')
    expect(await service.stop()).toBe(0)
    expect(await findPostmaster(dataDir)).toBeUndefined()
  })

  it('still owns everything after root has run commands on its data', async () => {
    const home = await makeHome()
    const dataDir = join(home, 'data')
    const launch = { args: SERVE, user: plainUser() }
    let service = await startService({ dataDir, launch })
    const beside = await runWarungd(service.environment, ['master-key', 'rotate', '--json'])
    expect(beside).toMatchObject({ code: 0 })
    expect(await service.stop()).toBe(0)
    const alone = await runWarungd(service.environment, ['master-key', 'rotate', '--json'])
    expect(alone).toMatchObject({ code: 0 })
    service = await startService({ dataDir })
    expect((await balanceOf(service, service.credentials)).status).toBe(200)
    expect(await service.stop()).toBe(0)

    service = await startService({ dataDir, launch })
    expect((await balanceOf(service, service.credentials)).status).toBe(200)
    expect(await service.stop()).toBe(0)
  })
})

describe('npm start', () => {
  it('compiles, runs the service, and Ctrl-C stops it and its database', async () => {
    const dataDir = await makeDirectory()
    const service = await startService({ dataDir, launch: { args: [START], group: true } })
    expect((await balanceOf(service, service.credentials)).status).toBe(200)
    service.signal('SIGINT')
    expect(await service.ended).toEqual({ code: 0, signal: null })
    expect(await findPostmaster(dataDir)).toBeUndefined()
  })
})
