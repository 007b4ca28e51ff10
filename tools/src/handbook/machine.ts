// An empty Debian in a directory, booted with its own systemd.
import type { ChildProcess } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import { accessSync, constants, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const PROGRAMS = ['debootstrap', 'systemd-nspawn', 'nsenter', 'git']
const FOLDERS = ['/usr/sbin', '/usr/bin', '/sbin', '/bin']

/** Lists the programs that this machine lacks. */
export function missingPrograms(): string[] {
  return PROGRAMS.filter((program) => !FOLDERS.some((folder) => isExecutable(join(folder, program))))
}

function isExecutable(path: string) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Makes the smallest Debian that boots. */
export function makeMachine(dir: string, { suite, mirror }: { suite: string; mirror: string }): void {
  const args = ['--variant=minbase', '--include=systemd,systemd-sysv,dbus', suite, dir, mirror]
  execFileSync('debootstrap', args, { stdio: 'inherit' })
}

/** Machine that runs: the command of a shell in it, and its end. */
export type Machine = { enter: string[]; stop(): Promise<void> }

/** Boots the machine, and waits until its system is up. */
export async function bootMachine(dir: string, { netns }: { netns?: string }): Promise<Machine> {
  const network = netns === undefined ? [] : [`--network-namespace-path=${netns}`]
  const args = [
    '--quiet',
    '--boot',
    '--register=no',
    '--keep-unit',
    '--resolv-conf=copy-host',
    ...network,
    '-D',
    dir,
  ]
  const nspawn = spawn('systemd-nspawn', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise((resolve) => nspawn.once('exit', resolve))
  const leader = await findLeader(nspawn)
  const enter = ['nsenter', '--target', String(leader), '--all', '/bin/bash']
  await untilUp(enter.slice(0, -1))
  return {
    enter,
    async stop() {
      nspawn.kill('SIGTERM')
      const timer = setTimeout(() => nspawn.kill('SIGKILL'), 60_000)
      await ended
      clearTimeout(timer)
    },
  }
}

const UP_MS_MAX = 120_000

/** Finds the first process of the machine: the child of systemd-nspawn. */
async function findLeader(nspawn: ChildProcess) {
  const giveUpAt = performance.now() + UP_MS_MAX
  while (performance.now() < giveUpAt) {
    if (nspawn.exitCode !== null) throw new Error(`systemd-nspawn ended with ${nspawn.exitCode}`)
    const children = readFileSync(`/proc/${nspawn.pid}/task/${nspawn.pid}/children`, 'utf8').trim().split(' ')
    const leader = children.find((pid) => pid !== '' && /(^|\/)(init|systemd)\0/.test(commandOf(pid)))
    if (leader !== undefined) return leader
    await delay(200)
  }
  throw new Error('the machine does not boot')
}

function commandOf(pid: string) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

async function untilUp(enter: readonly string[]) {
  const giveUpAt = performance.now() + UP_MS_MAX
  let said = ''
  while (performance.now() < giveUpAt) {
    // A unit of the image that does not work in a container leaves the system "degraded", which is up as well.
    const [command = '', ...args] = [...enter, 'systemctl', 'is-system-running']
    said = await output(command, args)
    if (/^(running|degraded)$/m.test(said)) return
    await delay(500)
  }
  throw new Error(`the machine is not up: ${said}`)
}

function output(command: string, args: string[]) {
  return new Promise<string>((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    const take = (chunk: Buffer) => {
      text += chunk
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.once('error', (error) => resolve(error.message))
    child.once('close', () => resolve(text))
  })
}
