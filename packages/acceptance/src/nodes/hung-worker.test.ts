import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { balanceOf } from '../edge.ts'
import { WARUNGD } from '../process.ts'
import { runtimeArgs } from '../runtime.ts'
import { makeDirectory, startService, stopServices, until } from '../service.ts'

/** Directory of the program, which has `bin` and `dist`. */
const PROGRAM_DIR = dirname(dirname(WARUNGD))

afterAll(() => stopServices())

/** Lists the processes whose command line has this text. */
async function processesOf(text: string): Promise<number[]> {
  const found: number[] = []
  for (const entry of await readdir('/proc')) {
    const command = /^\d+$/.test(entry)
      ? await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '')
      : ''
    if (command.includes(text)) found.push(Number(entry))
  }
  return found
}

it.runIf(process.platform === 'linux')(
  'a new process that never becomes ready is ended, and those that it should replace go on',
  async () => {
    const dir = await makeDirectory()
    const link = join(dir, 'warung')
    await symlink(PROGRAM_DIR, link)
    const program = join(link, 'bin', basename(WARUNGD))
    const service = await startService({
      environment: { WARUNG_PROCESSES: '2', WARUNG_WORKER_START_SECONDS: '3' },
      launch: { args: [...runtimeArgs(), program, 'serve'] },
    })
    const isLogged = (text: string) => service.log().some((line) => JSON.stringify(line).includes(text))
    const before = await processesOf(program)
    // The next version loads, and then does nothing.
    const next = join(dir, 'next')
    await mkdir(join(next, 'bin'), { recursive: true })
    await cp(join(PROGRAM_DIR, 'package.json'), join(next, 'package.json'))
    await writeFile(join(next, 'bin', basename(WARUNGD)), 'setInterval(() => {}, 1_000)\n')
    await rm(link)
    await symlink(next, link)
    service.signal('SIGUSR2')
    await until('it is given up', async () => isLogged('not reloaded'))
    expect(isLogged('a worker was not ready after 3 seconds, and was ended')).toBe(true)
    await until('the new process is gone', async () => (await processesOf(program)).length === before.length)
    expect((await processesOf(program)).sort()).toEqual(before.sort())
    expect((await balanceOf(service, service.credentials)).status).toBe(200)
    expect((await service.get('/readyz')).status).toBe(200)
  },
)
