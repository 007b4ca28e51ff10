import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audited, createAuditLog } from '../../../modules/audit/service.ts'
import type { CommandLine } from '../../../testing/command-line.ts'
import { openCommandLine } from '../../../testing/command-line.ts'
import type { TestDatabase } from '../../../testing/database.ts'

let line: CommandLine
let test: TestDatabase

beforeAll(async () => {
  line = await openCommandLine()
  test = line.test
})
afterAll(() => line.close())

async function run(...args: string[]): Promise<{ code: number; out: string }> {
  const { code, out, err } = await line.run(...args)
  return { code, out: out + err }
}

async function ask<T = Record<string, unknown>>(...args: string[]): Promise<T & { code: number }> {
  const { code, out } = await run('audit', ...args, '--json')
  return { ...JSON.parse(out), code }
}

async function write(action: string, target: string): Promise<void> {
  const caller = { kind: 'command', name: 'warungd' } as const
  await audited(createAuditLog(test), { caller, action, reason: 'tested' }, async () => ({
    target: { kind: 'thing', id: target },
    before: null,
    after: { name: target },
    result: null,
  }))
}

describe('audit', () => {
  it('says that an empty log is whole', async () => {
    expect(await ask('verify')).toEqual({ code: 0, ok: true, records: 0, head: null, first_break: null })
    expect(await run('audit', 'list')).toEqual({ code: 0, out: 'There is no such row.\n' })
  })

  it('lists what was done, newest first, by who, what and to what', async () => {
    for (const target of ['a', 'b', 'c']) await write('thing.create', target)
    await write('other.create', 'a')
    type List = { records: { action: string; target: { id: string }; sequence: string }[] }
    const found = async (...options: string[]) =>
      (await ask<List>('list', ...options)).records.map(({ action, target }) => `${action} ${target.id}`)
    expect(await found('--action', 'thing')).toEqual(['thing.create c', 'thing.create b', 'thing.create a'])
    expect(await found('--target', 'a')).toEqual(['other.create a', 'thing.create a'])
    expect(await found('--actor', 'nobody')).toEqual([])
    expect(await found('--before', '3', '--limit', '1')).toEqual(['thing.create b'])
    expect((await run('audit', 'list')).out).toContain('tested')
    for (const wrong of [
      ['--limit', '0'],
      ['--limit', 'x'],
      ['--before', 'x'],
    ]) {
      expect((await ask('list', ...wrong)).code).toBe(2)
    }
  })

  it('proves that it is whole, also up to a head that was kept, and ends with 1 where it is not', async () => {
    const { head } = await ask<{ head: string }>('verify')
    expect(head).toMatch(/^4:[0-9a-f]{64}$/)
    await write('thing.remove', 'a')
    expect(await ask('verify', '--head', head)).toMatchObject({ code: 0, ok: true, records: 5 })
    const other = `4:${'0'.repeat(64)}`
    expect(await ask('verify', '--head', head, '--head', other)).toMatchObject({
      code: 1,
      first_break: { kind: 'noted_head', sequence: '4' },
    })
    expect((await ask('verify', '--head', 'x')).code).toBe(1)
    await test.database.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      await tx.query('delete from audit_log where sequence = 3')
    })
    expect(await ask('verify')).toMatchObject({
      code: 1,
      ok: false,
      first_break: { kind: 'sequence', sequence: '3' },
    })
    const { code, out } = await run('audit', 'verify')
    expect([code, out]).toEqual([1, expect.stringContaining('BROKEN (sequence) row 3')])
  })
})
