import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CommandLine } from '../../../testing/command-line.ts'
import { openCommandLine } from '../../../testing/command-line.ts'
import { main } from '../../main.ts'

let line: CommandLine
let account: string

beforeAll(async () => {
  line = await openCommandLine()
  const made = await line.run('reseller', 'create', '--name', 'Kedai', '--email', 'k@example.com', '--json')
  account = (JSON.parse(made.out) as { account: string }).account
})
afterAll(() => line.close())

async function read<T>(...args: string[]): Promise<T> {
  const ran = await line.run(...args, '--json')
  expect(ran, ran.err).toMatchObject({ code: 0 })
  return JSON.parse(ran.out) as T
}

const WHY = ['--reason', 'a test'] as const

it('a refid is held and released only after a restore, and every decision is in the audit log', async () => {
  const of = ['--reseller', account, '--refid', 'R-1', ...WHY] as const
  expect((await line.run('restore', 'hold', ...of)).err).toContain('Nothing was ever restored')
  expect((await line.run('restore', 'accept', ...WHY)).err).toContain('no restore to accept')
  await read('restore', 'mark', '--to', '2026-01-01T00:00:00Z', ...WHY)
  await read('restore', 'hold', ...of)
  const { lost } = await read<{ lost: object[] }>('restore', 'lost')
  expect(lost).toMatchObject([{ reseller: account, refid: 'R-1', references: [] }])
  await read('restore', 'hold', '--reseller', account, '--refid', 'R/2', ...WHY)
  expect(await read('restore', 'lost', '--limit', '1')).toEqual({ lost })
  expect(await read('restore', 'lost', '--after', `${account}/R-1`)).toMatchObject({
    lost: [{ refid: 'R/2' }],
  })
  expect(await read('restore', 'lost', '--after', `${account}/R/2`)).toEqual({ lost: [] })
  expect((await line.run('restore', 'lost', '--after', 'R-1')).err).toContain(
    '--after: must be ACCOUNT/REFID',
  )
  await read('restore', 'release', '--reseller', account, '--refid', 'R/2', ...WHY)
  await read('restore', 'accept', ...WHY)
  await read('restore', 'release', ...of)
  expect(await read('restore', 'lost')).toEqual({ lost: [] })
  const { restores } = await read<{ restores: object[] }>('restore', 'list')
  expect(restores).toMatchObject([
    { restored_to: '2026-01-01T00:00:00.000Z', accepted_at: expect.any(String) },
  ])
  const { records } = await read<{ records: { action: string }[] }>('audit', 'list', '--action', 'restore')
  expect(records.map(({ action }) => action)).toEqual([
    'restore.release',
    'restore.accept',
    'restore.release',
    'restore.hold',
    'restore.hold',
    'restore.record',
  ])
})

it('a command without a folder, with a moment to come, or on an empty folder says what is wrong', async () => {
  expect(await line.run('backup')).toMatchObject({
    code: 2,
    err: expect.stringContaining('WARUNG_BACKUP_DIR'),
  })
  const empty = join(line.folder, 'empty')
  await mkdir(empty)
  expect((await line.run('backup', 'list', '--from', empty)).out).toContain('There is no backup')
  const missing = join(line.folder, 'missing')
  expect(await line.run('backup', 'list', '--from', missing)).toMatchObject({
    ...{ code: 1, out: '', err: `warungd: the folder ${missing} does not exist\n` },
  })
  const file = join(line.folder, 'file')
  await writeFile(file, '')
  expect(await line.run('backup', 'list', '--from', file)).toMatchObject({
    ...{ code: 1, err: expect.stringContaining('is not a folder') },
  })
  for (const command of [['backup', 'verify'], ['restore']]) {
    expect(await runEmbedded(...command, '--from', empty)).toMatchObject({
      ...{ code: 1, err: expect.stringContaining('has no whole backup') },
    })
  }
  const later = await runEmbedded('restore', '--from', empty, '--to', '2999-01-01T00:00:00Z')
  expect(later).toMatchObject({ code: 2, err: expect.stringContaining('has not come yet') })
})

/** Runs a command that has no server of an operator. */
async function runEmbedded(...args: string[]): Promise<{ code: number; err: string }> {
  const { DATABASE_URL: _, ...env } = line.env
  let err = ''
  const io = {
    out: () => {},
    err: (text: string) => {
      err += text
    },
    readInput: async () => '',
  }
  return { code: await main(args, io, env), err }
}

it('a server of the operator is neither copied nor restored by us, and the refusal says by whom', async () => {
  for (const command of [
    ['backup', '--to', line.folder],
    ['restore', '--from', line.folder],
  ]) {
    expect(await line.run(...command)).toMatchObject({
      ...{ code: 1, out: '', err: expect.stringContaining('warungd restore mark') },
    })
  }
})

it('payments after the moment are read from one server, and are lost in the one that was restored', async () => {
  const of = ['--reseller', account, '--refid', 'R-9', ...WHY] as const
  await read('restore', 'hold', ...of)
  const file = join(line.folder, 'later.jsonl')
  const to = ['--to', '2026-01-01T00:00:00Z'] as const
  expect(await read('restore', 'later', ...to, '--file', file)).toMatchObject({ file, payments: 1 })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await line.run('restore', 'later', ...to, '--file', file)).err).toContain('EEXIST')
  // The restored server has forgotten the refid.
  await line.test.database.query('delete from lost_payments')
  expect(await read('restore', 'mark', ...to, '--later', file, ...WHY)).toMatchObject({
    ...{ restored_to: '2026-01-01T00:00:00.000Z', lost_payments: 1, withdrawn_items: 0 },
  })
  expect(await read('restore', 'lost')).toMatchObject({ lost: [{ reseller: account, refid: 'R-9' }] })
})

it('a mark without its moment takes the one that the server replayed, and is refused where it replayed none', async () => {
  expect(await line.run('restore', 'mark', ...WHY)).toMatchObject({
    ...{ code: 2, err: expect.stringContaining('--to missing') },
  })
})
