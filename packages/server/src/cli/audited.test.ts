import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateMasterKey } from '../lib/secrets/sealing.ts'
import { openCommandLine } from '../testing/command-line.ts'
import type { CommandBench } from '../testing/commands/bench.ts'
import { openCommandBench } from '../testing/commands/bench.ts'
import { CHANGES } from '../testing/commands/changes.ts'
import { loadAllCommands } from './commands/index.ts'
import { main } from './main.ts'

// Every command, by whether it changes something. One that does leaves a line in the audit log, in the same commit. To add
// a command, name it here, or in testing/commands/changes.ts and docs/security.md if it changes something.

let bench: CommandBench

/** Commands whose lines need another person, another key or another database, with the place of their test. */
const SHOWN_ELSEWHERE: Readonly<Record<string, string>> = {
  'approval approve': 'commands/money/approvals.test.ts',
  'approval reject': 'commands/money/approvals.test.ts',
  'master-key rotate': 'the end of this file',
  restore: 'acceptance/crash/restore.crash.test.ts',
}

/** Commands that change something and leave no line, with the reason. */
const UNLOGGED: Readonly<Record<string, string>> = {
  serve: 'runs the service, which logs what people do',
  simulator: 'is a supplier for tests, with books of its own',
  migrate: 'the schema has its own record of its steps',
  batch: 'the commands in it leave their own lines',
  backup: 'writes files beside the database',
  'closing run': 'does at once what the service does within minutes',
  'settlement compare': 'works out again what an import with a line has brought',
  'mail test': 'the mail stands in the list of mails',
}

const READS: readonly string[] = [
  'config',
  'doctor',
  'backup verify',
  'backup list',
  'restore list',
  'restore lost',
  'reseller show',
  'reseller list',
  'settings show',
  'user list',
  'key list',
  'allowlist list',
  'approval list',
  'approval show',
  'threshold list',
  'ledger verify',
  'ledger heads',
  'ledger chain',
  'ledger balance',
  'ledger house',
  'audit list',
  'audit verify',
  'closing list',
  'closing show',
  'closing verify',
  'statement',
  'reconcile',
  'payment list',
  'payment show',
  'payment stuck',
  'payment trace',
  'order show',
  'case list',
  'case show',
  'clock show',
  'notice list',
  'mail list',
  'mail show',
  'mail preferences',
  'alert list',
  'endpoint list',
  'endpoint show',
  'delivery list',
  'delivery show',
  'delivery queue',
  'settlement list',
  'settlement show',
  'settlement differences',
  'provider list',
  'provider show',
  'provider health',
  'provider float',
  'provider test',
  'route list',
  'stock list',
  'stock batches',
  'catalog export',
  'catalog diff',
  'catalog show',
  'level list',
  'overlay show',
  'operator list',
  'block list',
]

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
  const named = [CHANGES, SHOWN_ELSEWHERE, UNLOGGED].flatMap((each) => Object.keys(each))
  expect([...named, ...READS].sort()).toEqual(commands.sort())
})

it('docs/security.md names every command that changes something, with its action', () => {
  const path = new URL('../../../../docs/security.md', import.meta.url)
  const [, section = ''] = readFileSync(path, 'utf8').split('## Commands that change something\n')
  const [text = ''] = section.split('\n## ')
  const [, regular = ''] = /with a dot between its words:\n\n([^|]+?)\n\n/.exec(text) ?? []
  const rows = [...text.matchAll(/^\| (`[^|]+`) \| ([^|]+) \|$/gm)]
  const namesOf = (commands: string) => [...commands.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  const documented = [
    ...namesOf(regular).map((command) => [command, command.replace(' ', '.')]),
    ...rows.flatMap(([, commands = '', action = '']) =>
      namesOf(commands).map((command) => [command, action.split(' ')[0]?.replaceAll('`', '')]),
    ),
  ]
  const wanted = Object.entries(CHANGES).map(([name, [action]]) => [name, action])
  expect(Object.fromEntries(documented)).toMatchObject(Object.fromEntries(wanted))
  const others = [...Object.keys(SHOWN_ELSEWHERE), ...Object.keys(CHANGES)]
  expect(documented.map(([name]) => name).sort()).toEqual(others.sort())
})

describe('a command that changes something leaves one line with who, what, before and after', () => {
  it.each(Object.entries(CHANGES))('%s', async (name, [action, words, before, after]) => {
    const given = await words(bench)
    const last = await lastSequence()
    await bench.warungd(...name.split(' '), ...given)
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
  const io = { out: () => {}, err: () => {}, readInput: async () => '' }
  const given = { ...line.env, WARUNG_MASTER_KEY_NEXT: next.bytes.toString('base64') }
  expect(await main(['master-key', 'rotate'], io, given)).toBe(0)
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
