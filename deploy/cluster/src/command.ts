// Warung on a cluster: PostgreSQL with a synchronous standby (Patroni and etcd), HAProxy, and nodes of the service.
// docs/guides/cluster.md says what runs where and what happens when it dies.
import { spawn } from 'node:child_process'
import { accessSync, constants, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startUnits, writeMachine } from './machine.ts'
import { describe, isWhole, observe } from './observe.ts'
import type { Config } from './plan.ts'
import { makeSecrets, readConfig, readSecrets } from './plan.ts'
import type { Part } from './trial.ts'
import {
  hold,
  killPart,
  listParts,
  openTrial,
  prepareTrial,
  stopTrial,
  supervise,
  supervisorPid,
} from './trial.ts'

const HELP = `usage: node deploy/cluster/cluster.js COMMAND

A trial on this machine, in a directory of its own:
  up                       starts two PostgreSQL servers, three etcd, three HAProxy, three services
  status [--json]          shows what runs, and who leads
  kill NAME [--stay]       kill -9: leader, standby, one.etcd, one.haproxy, one.service, or a whole machine: one
                           (it is started again after 2 seconds; with --stay, by "start")
  start NAME               starts what was killed with --stay
  down                     stops everything; the data stays
  prepare                  writes cluster.json and secrets.json for "up", and starts nothing
  --directory DIR          directory of the trial; by default warung-cluster in the system's temporary directory

A real machine, as root, with the same two files on each:
  secrets > secrets.json   makes the passwords and the master key
  up --machine NAME --config cluster.json --secrets secrets.json
                           writes the files of Debian's packages and starts their units
  files --machine NAME --config … --secrets … --to DIR
                           writes the same files below DIR, and starts nothing
  status --config cluster.json
`

const PACKAGES = 'apt-get install -y patroni python3-etcd etcd-server etcd-client haproxy postgresql'
const PROGRAMS = ['patroni', 'etcd', 'haproxy', 'psql']
const WHOLE_WITHIN_MS = 300_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    directory: { type: 'string', default: join(tmpdir(), 'warung-cluster') },
    config: { type: 'string' },
    secrets: { type: 'string' },
    machine: { type: 'string' },
    to: { type: 'string' },
    json: { type: 'boolean', default: false },
    stay: { type: 'boolean', default: false },
  },
})
const directory = resolve(values.directory)
const print = (text: string) => process.stdout.write(text)

const COMMANDS: Record<string, (names: string[]) => Promise<void>> = {
  up: () => (values.machine === undefined ? up() : upMachine()),
  status,
  kill,
  start: async ([name]) =>
    hold(
      directory,
      (await findParts(name)).map((each) => each.name),
      false,
    ),
  down: () => stopTrial(directory),
  prepare: () => prepareTrial(directory),
  run: () => supervise(directory).then(() => process.exit(0)),
  secrets: async () => void print(`${JSON.stringify(makeSecrets(), null, 2)}\n`),
  files: async () => void print(`${(await files(values.to ?? '')).join('\n')}\n`),
}

const [name = '', ...rest] = positionals
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
if (command === undefined) {
  print(HELP)
  process.exitCode = name === '' || name === 'help' ? 0 : 1
} else {
  await command(rest).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  })
}

// ── A trial ──

async function up() {
  requirePrograms()
  await prepareTrial(directory)
  if ((await supervisorPid(directory)) === undefined) startSupervisor()
  const { config } = openTrial(directory)
  const giveUpAtMs = Date.now() + WHOLE_WITHIN_MS
  let state = await observe(config)
  while (!isWhole(state)) {
    if (Date.now() > giveUpAtMs)
      throw new Error(`${describe(state)}not whole yet; the logs are in ${directory}/log`)
    await delay(500)
    state = await observe(config)
  }
  print(describe(state))
  const addresses = config.machines.map(({ host, ports }) => `http://${host}:${ports.clients}`)
  print(`clients: ${addresses.join('  ')}\nlogs, demo credentials: ${directory}\n`)
}

function requirePrograms() {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/bin']
  const missing = PROGRAMS.filter((program) => !folders.some((folder) => isProgram(join(folder, program))))
  if (missing.length > 0) throw new Error(`not installed: ${missing.join(', ')}. On Debian: ${PACKAGES}`)
}

function isProgram(path: string) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function startSupervisor() {
  const log = openSync(join(directory, 'log', 'supervisor.log'), 'a')
  const args = [fileURLToPath(import.meta.url), 'run', '--directory', directory]
  spawn(process.execPath, args, { detached: true, stdio: ['ignore', log, log] }).unref()
}

async function status() {
  const config = values.config === undefined ? openTrial(directory).config : await given('config', readConfig)
  const state = await observe(config)
  print(values.json ? `${JSON.stringify({ ...state, isWhole: isWhole(state) })}\n` : describe(state))
  if (!isWhole(state)) process.exitCode = 2
}

async function kill([target]: string[]) {
  const parts = await findParts(target)
  if (values.stay)
    await hold(
      directory,
      parts.map((each) => each.name),
      true,
    )
  const atMs = Date.now()
  const counts = await Promise.all(parts.map((each) => killPart(directory, each)))
  const killed = parts.map((each) => each.name)
  const text = `${killed.join(', ')}: ${counts.flat().length} processes killed`
  print(`${values.json ? JSON.stringify({ killed, atMs }) : text}\n`)
}

/** Finds the parts that a name means: a role of the database, a part, or all parts of a machine. */
async function findParts(target = ''): Promise<Part[]> {
  const trial = openTrial(directory)
  const isRole = target === 'leader' || target === 'standby'
  const holder = isRole ? (await observe(trial.config))[target] : undefined
  if (isRole && holder === undefined) throw new Error(`there is no ${target} now`)
  const wanted = isRole ? `${holder}.patroni` : target
  const parts = listParts(trial)
  const found = parts.filter((each) => each.name === wanted || each.machine === wanted)
  if (found.length === 0)
    throw new Error(`"${target}" is none of ${parts.map((each) => each.name).join(', ')}`)
  return found
}

// ── A real machine ──

async function upMachine() {
  requirePrograms()
  const written = await files('/')
  print(`${written.join('\n')}\n`)
  const config = await given('config', readConfig)
  startUnits(machineOf(config))
}

async function files(to: string) {
  if (to === '') throw new Error('--to: the directory in place of /')
  const config = await given('config', readConfig)
  return writeMachine(config, machineOf(config), await given('secrets', readSecrets), resolve(to))
}

function machineOf(config: Config) {
  const machine = config.machines.find((each) => each.name === values.machine)
  if (machine === undefined)
    throw new Error(`--machine: one of ${config.machines.map((each) => each.name).join(', ')}`)
  return machine
}

async function given<T>(option: 'config' | 'secrets', read: (text: string) => T) {
  const path = values[option]
  if (path === undefined) throw new Error(`--${option}: the path of the file`)
  return read(await readFile(path, 'utf8'))
}
