import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateMasterKey } from '../lib/secrets/sealing.ts'
import { isGrantKind } from '../modules/grants/rules.ts'
import { APPROVAL_KINDS } from '../modules/operator/kit/approvals.rules.ts'
import { openCommandLine } from '../testing/command-line.ts'
import type { CommandBench } from '../testing/commands/bench.ts'
import { openCommandBench } from '../testing/commands/bench.ts'
import { CHANGES } from '../testing/commands/changes.ts'
import { READS } from '../testing/commands/reads.ts'
import { shapeOf } from '../testing/commands/shapes.ts'
import { loadAllCommands } from './commands/index.ts'
import { main } from './main.ts'

// Every command, by whether it changes something. One that does leaves a line in the audit log, in the same commit. To add
// a command, name it here, or in testing/commands/changes.ts if it changes something.

let bench: CommandBench

/** Commands whose lines need another person, another key or another database, with the place of their test. */
const SHOWN_ELSEWHERE: Readonly<Record<string, string>> = {
  'approval approve': 'commands/money/approvals.test.ts',
  'approval reject': 'commands/money/approvals.test.ts',
  'group drop-old': 'acceptance/groups',
  'group move': 'acceptance/groups',
  'master-key rotate': 'the end of this file',
  'provider prove': 'commands/suppliers/provider-packs.test.ts',
  restore: 'acceptance/crash/restore.crash.test.ts',
}

/** Commands that leave no line and do not run here, with the reason. */
const UNLOGGED: Readonly<Record<string, string>> = {
  doctor: 'tells of the machine that it runs on',
  'backup verify': 'needs a backup: acceptance/crash/restore.crash.test.ts',
  'order show': 'needs an order: commands/payments/orders.test.ts',
  'provider answers': 'is a supplier for tests, and keeps nothing',
  'provider test': 'asks a supplier',
  'group create': 'makes the schema in which a log begins: acceptance/groups',
  serve: 'runs the service, which logs what people do',
  simulator: 'is a supplier for tests, with books of its own',
  batch: 'the commands in it leave their own lines',
  backup: 'writes files beside the database',
  'mail test': 'the mail stands in the list of mails',
}

/** Documents that the commands printed with --json, by command. */
const printed = new Map<string, unknown>()

beforeAll(async () => {
  bench = await openCommandBench()
})
afterAll(() => bench.close())

type Line = { readonly sequence: bigint; readonly before: unknown; readonly after: unknown }

async function linesAfter(sequence: bigint): Promise<Line[]> {
  const { rows } = await bench.database.query<Line>(
    `select sequence, actor_kind, actor, action, target, before, after from audit_log
      where sequence > $1 order by sequence`,
    [sequence],
  )
  return rows
}

async function lastSequence(): Promise<bigint> {
  return (await linesAfter(0n)).at(-1)?.sequence ?? 0n
}

it('every command is named once, as one that reads or as one that changes something', async () => {
  const commands = (await loadAllCommands()).map(({ name }) => name)
  const named = [CHANGES, READS, SHOWN_ELSEWHERE, UNLOGGED].flatMap((each) => Object.keys(each))
  expect(named.sort()).toEqual(commands.sort())
})

describe('a command that changes something leaves one line with who, what, before and after', () => {
  it.each(Object.entries(CHANGES))('%s', async (name, [action, words, before, after]) => {
    const given = await words(bench)
    const last = await lastSequence()
    printed.set(name, await bench.warungd(...name.split(' '), ...given))
    expect(await linesAfter(last)).toMatchObject([
      {
        actor_kind: 'command',
        actor: userInfo().username,
        action,
        target: expect.any(String),
        before,
        after,
      },
    ])
  })
})

it('a rotation of the master key leaves a line in the commit that wraps the data keys anew', async () => {
  const line = await openCommandLine()
  const next = generateMasterKey()
  let out = ''
  const io = {
    out: (text: string) => {
      out += text
    },
    err: () => {},
    readInput: async () => '',
  }
  const given = { ...line.env, WARUNG_MASTER_KEY_NEXT: next.bytes.toString('base64') }
  expect(await main(['master-key', 'rotate', '--json'], io, given)).toBe(0)
  printed.set('master-key rotate', JSON.parse(out))
  const { rows } = await line.test.database.query('select action, target, after from audit_log')
  expect(rows).toEqual([
    {
      action: 'master_key.rotate',
      target: next.id,
      after: { master_key_id: next.id, data_keys_rewrapped: 1 },
    },
  ])
  await line.close()
})

describe('a command that changes nothing leaves no line', () => {
  it.each(Object.entries(READS))('%s', async (name, words) => {
    const given = await words(bench)
    const last = await lastSequence()
    printed.set(name, await bench.warungd(...name.split(' '), ...given))
    expect(await linesAfter(last)).toEqual([])
  })
})

it('every document of a command keeps its members, their order, their types and its words', async () => {
  const reasons = Object.entries({ ...SHOWN_ELSEWHERE, ...UNLOGGED }).map(([name, why]) => [
    name,
    `not run: ${why}`,
  ])
  const shapes = [...printed].map(([name, document]) => [name, shapeOf([document])])
  const sorted = Object.fromEntries(
    [...reasons, ...shapes].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  )
  const golden = '../testing/commands/outputs.golden.json'
  await expect(`${JSON.stringify(sorted, null, 2)}\n`).toMatchFileSnapshot(golden)
})

it('every command and every kind of request writes the actions under which their lines can be found', () => {
  const path = new URL('../testing/commands/actions.golden.json', import.meta.url)
  const golden: Record<string, { face: string; name: string; test?: string }[]> = JSON.parse(
    readFileSync(path, 'utf8'),
  )
  const written = (face: string) =>
    Object.entries(golden).flatMap(([action, writers]) =>
      writers
        .filter((each) => each.face === face && each.test === undefined)
        .map(({ name }) => `${name}: ${action}`),
    )
  const changes = Object.entries(CHANGES).map(([name, [action]]) => `${name}: ${action}`)
  expect(written('command').sort()).toEqual([...changes, 'master-key rotate: master_key.rotate'].sort())
  const steps = ['request', 'approve', 'refuse', 'withdraw']
  const requests = APPROVAL_KINDS.flatMap((kind) =>
    [...steps, ...(isGrantKind(kind) ? ['stop'] : [])].map((step) => `${kind}: ${kind}.${step}`),
  )
  expect(written('approval').sort()).toEqual(requests.sort())
})
