import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import {
  findProcess,
  identify,
  identifySelf,
  listByPs,
  listProcesses,
  liveness,
  psStartTime,
} from './process.ts'
import { waitUntil } from './wait.ts'

test('this process is alive', async () => {
  const self = await identifySelf()
  expect(self.pid).toBe(process.pid)
  expect(await liveness(self)).toBe('alive')
})

test('a pid that another process has by now does not count as alive', async () => {
  const self = await identifySelf()
  expect(await liveness({ ...self, startedAt: `${self.startedAt}1` })).toBe('dead')
})

test('a process that has ended is dead, though its parent has not looked yet', async () => {
  // `exec` replaces the parent by a program that never waits for its children.
  const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const child = await identify(Number(line.toString()))
    if (child === undefined) throw new Error('the child should still run')
    expect(await waitUntil(async () => (await liveness(child)) === 'dead', 30_000)).toBe(true)
    expect(() => process.kill(child.pid, 0)).not.toThrow()
    expect(await findProcess(child.pid)).toBeUndefined()
  } finally {
    parent.kill('SIGKILL')
  }
})

test('a pid written before a reboot or in another container proves nothing', async () => {
  const self = await identifySelf()
  expect(await liveness({ ...self, scope: 'elsewhere' })).toBe(
    process.platform === 'win32' ? 'alive' : 'unknown',
  )
})

test('ps tells one start time for one process, and none for no process', async () => {
  const first = await psStartTime(process.pid)
  expect(first).toMatch(/^\w{3} \w{3} \d+ \d\d:\d\d:\d\d \d{4}$/)
  expect(await psStartTime(process.pid)).toBe(first)
  const child = spawn('true')
  await once(child, 'exit')
  expect(child.pid && (await psStartTime(child.pid))).toBeUndefined()
})

test('both ways of listing processes find the same command', async () => {
  const child = spawn('sleep', ['61.5'])
  try {
    const isListed = (list: readonly { pid: number; command: string }[]) =>
      list.some(({ pid, command }) => pid === child.pid && command.endsWith('sleep 61.5'))
    expect(await waitUntil(async () => isListed(await listProcesses()), 30_000)).toBe(true)
    expect(isListed(await listByPs(['-ax']))).toBe(true)
  } finally {
    child.kill('SIGKILL')
  }
})
