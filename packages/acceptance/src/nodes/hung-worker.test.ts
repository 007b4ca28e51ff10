import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { balanceOf } from '../edge.ts'
import { WARUNGD } from '../process.ts'
import { runtimeArgs } from '../runtime.ts'
import type { ServiceProcess } from '../service.ts'
import { makeDirectory, startService, stopServices, until } from '../service.ts'
import { isRunning, workersOf } from './process-list.ts'

/** Directory of the program, which has `bin` and `dist`. */
const PROGRAM_DIR = dirname(dirname(WARUNGD))
/** Long enough for a start on a busy machine; the tests wait for it once each. */
const WORKER_SECONDS = 15

let service: ServiceProcess
/** Link to the directory of the program, as the handbook has it. */
let link: string
let dir: string

beforeAll(async () => {
  dir = await makeDirectory()
  link = join(dir, 'warung')
  await symlink(PROGRAM_DIR, link)
  service = await startService({
    environment: {
      WARUNG_PROCESSES: '2',
      WARUNG_WORKER_SECONDS: String(WORKER_SECONDS),
      WARUNG_DRAIN_SECONDS: '0',
      WARUNG_DRAIN_ANSWERS_SECONDS: '0',
    },
    launch: { args: [...runtimeArgs(), join(link, 'bin', basename(WARUNGD)), 'serve'] },
  })
})
afterAll(() => stopServices())

const timesLogged = (text: string) =>
  service.log().filter((line) => JSON.stringify(line).includes(text)).length

describe.runIf(process.platform === 'linux')('a process that hangs', () => {
  it('is killed when it was replaced and does not end', async () => {
    const before = await workersOf(service.pid)
    const [hung = 0] = before
    process.kill(hung, 'SIGSTOP')
    let reloads = 0
    await until('it is gone', async () => {
      // A machine may be too busy to start a process in the time: then the reload is wanted again.
      if (reloads === timesLogged('not reloaded')) {
        service.signal('SIGUSR2')
        reloads += 1
      }
      return !(await isRunning(hung))
    })
    await until('the others are replaced too', async () => timesLogged('"reloaded"') > 0)
    expect(timesLogged('a replaced worker did not end in its time, and was killed')).toBe(1)
    const now = await workersOf(service.pid)
    expect(now).toHaveLength(2)
    expect(now.filter((pid) => before.includes(pid))).toEqual([])
    expect((await balanceOf(service, service.credentials)).status).toBe(200)
  })

  it('and never becomes ready is ended, and those that it should replace go on', async () => {
    const before = await workersOf(service.pid)
    const given = timesLogged('not reloaded')
    // The next version loads, and then does nothing.
    const next = join(dir, 'next')
    await mkdir(join(next, 'bin'), { recursive: true })
    await cp(join(PROGRAM_DIR, 'package.json'), join(next, 'package.json'))
    await writeFile(join(next, 'bin', basename(WARUNGD)), 'setInterval(() => {}, 1_000)\n')
    await rm(link)
    await symlink(next, link)
    service.signal('SIGUSR2')
    await until('it is given up', async () => timesLogged('not reloaded') > given)
    expect(timesLogged(`a worker was not ready after ${WORKER_SECONDS} seconds, and was ended`)).toBe(
      given + 1,
    )
    await until('it is gone', async () => (await workersOf(service.pid)).length === before.length)
    expect((await workersOf(service.pid)).sort()).toEqual(before.sort())
    expect((await balanceOf(service, service.credentials)).status).toBe(200)
    expect((await service.get('/readyz')).status).toBe(200)
  })
})
