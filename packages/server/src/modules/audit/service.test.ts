import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Queryable } from '../../db/database.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { appendAudit, audited, createAuditLog, listAudit } from './service.ts'
import type { Act, AuditCaller, AuditFilter, AuditLog, AuditReport } from './types.ts'
import { verifyAudit } from './verify.service.ts'

const SITI: AuditCaller = {
  kind: 'operator',
  operatorId: 7n,
  email: 'siti@example.com',
  via: 'session',
  credentialId: '41',
  address: '203.0.113.9',
}
const ALL: AuditFilter = {
  actor: null,
  action: null,
  targetKind: null,
  target: null,
  fromMs: null,
  untilMs: null,
  beforeSequence: null,
  limit: 100,
}

let test: TestDatabase
let log: AuditLog

beforeAll(async () => {
  test = await openTestDatabase()
  log = createAuditLog(test)
  await test.database.query('create table things (name text primary key, size integer not null)')
})
afterAll(() => test.close())

const act = (more: Partial<Act> = {}): Act => ({
  caller: SITI,
  action: 'thing.create',
  reason: 'because',
  ...more,
})

function insert(connection: Queryable, name: string): Promise<unknown> {
  return connection.query('insert into things values ($1, 1)', [name])
}

/** Makes a thing and logs it. */
function make(name: string, more: Partial<Act> = {}, from = log): Promise<string> {
  return audited(from, act(more), async (tx) => {
    await insert(tx, name)
    return { target: { kind: 'thing', id: name }, before: null, after: { name, size: 1n }, result: name }
  })
}

async function countThings(name: string): Promise<number> {
  const { rows } = await test.database.query('select from things where name = $1', [name])
  return rows.length
}

const rowsAbout = (target: string) => listAudit(log, { ...ALL, target })

describe('a change and its row in the log', () => {
  it('are there together: who, what, to what, before, after, from where, why', async () => {
    expect(await make('first')).toBe('first')
    expect(await rowsAbout('first')).toEqual([
      expect.objectContaining({
        actorKind: 'operator',
        actorId: 7n,
        actor: 'siti@example.com',
        credential: '41',
        address: '203.0.113.9',
        action: 'thing.create',
        targetKind: 'thing',
        before: null,
        after: '{"name":"first","size":"1"}',
        reason: 'because',
      }),
    ])
    expect(await countThings('first')).toBe(1)
  })

  it('are undone together when the work throws', async () => {
    const work = audited(log, act(), async (tx) => {
      await insert(tx, 'undone')
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect([await countThings('undone'), await rowsAbout('undone')]).toEqual([0, []])
  })

  it('are undone together when the work turns out at the commit to be impossible', async () => {
    await test.database.query(
      'create table promises (name text constraint promises_key unique deferrable initially deferred)',
    )
    const work = audited(log, act(), async (tx) => {
      await tx.query("insert into promises values ('twice'), ('twice')")
      return { target: { kind: 'thing', id: 'twice' }, before: null, after: null, result: null }
    })
    await expect(work).rejects.toThrow('promises_key')
    expect(await rowsAbout('twice')).toEqual([])
  })

  it('are undone together, and the caller is told to come back, when somebody holds the log for long', async () => {
    await make('before-the-wait')
    await test.database.transaction(async (tx) => {
      await tx.query('select from audit_head for update')
      await expect(make('held-up')).rejects.toMatchObject({ status: 503, code: 'audit_log_busy' })
    })
    expect([await countThings('held-up'), await rowsAbout('held-up')]).toEqual([0, []])
    await make('held-up')
  })

  it('are cut off by the database when whoever does it stops in the middle', async () => {
    const limits: string[] = []
    const show = async (connection: Queryable) => {
      const { rows } = await connection.query<{ limit: string }>(
        `select current_setting('idle_in_transaction_session_timeout') as limit`,
      )
      limits.push(rows[0]?.limit ?? '')
    }
    await audited(log, act(), async (tx) => {
      await show(tx)
      return { target: { kind: 'thing', id: 'slow' }, before: null, after: null, result: null }
    })
    await test.database.transaction(async (tx) => {
      const done = { target: { kind: 'thing', id: 'slow' }, before: null, after: null }
      await appendAudit(tx, log, act(), done)
      await show(tx)
    })
    await show(test.database)
    // Limit of every connection, so that a transaction that stops in the middle does not hold the log.
    expect(limits).toEqual(['1min', '1min', '1min'])
  })

  it('are undone together when the row cannot be written', async () => {
    await expect(make('unwritten', { action: 'Not an action' })).rejects.toThrow('words with dots')
    expect(await countThings('unwritten')).toBe(0)
  })

  it.each([undefined, '', '   ', 5, 'x'.repeat(501)])(
    'are refused before anything without a reason: %s',
    async (reason) => {
      await expect(make('unreasoned', { reason })).rejects.toMatchObject({
        status: 400,
        fields: { reason: [expect.any(String)] },
      })
      expect(await countThings('unreasoned')).toBe(0)
    },
  )

  it('are one commit also for a service that opens a transaction of its own', async () => {
    const work = (fails: boolean) =>
      audited(log, act(), async (_tx, database) => {
        await database.transaction((inner) => insert(inner, 'joined'))
        // A failed inner transaction undoes only its own part.
        await database
          .transaction(async (inner) => {
            await insert(inner, 'inner')
            throw new Error('inner')
          })
          .catch(() => {})
        if (fails) throw new Error('outer')
        return { target: { kind: 'thing', id: 'joined' }, before: null, after: null, result: null }
      })
    await expect(work(true)).rejects.toThrow('outer')
    expect(await countThings('joined')).toBe(0)
    await work(false)
    expect([await countThings('joined'), await countThings('inner')]).toEqual([1, 0])
    expect(await rowsAbout('joined')).toHaveLength(1)
  })

  it('changes of many nodes at once make one chain without gaps', async () => {
    const nodes = Array.from({ length: 3 }, () =>
      createAuditLog({ database: test.openAnother(), vault: test.vault }),
    )
    const names = Array.from({ length: 30 }, (_, index) => `many-${index}`)
    await Promise.all(names.map((name, index) => make(name, {}, nodes[index % 3] ?? log)))
    expect((await verifyAudit(log)).broken).toBeUndefined()
  })
})

describe('the log', () => {
  it('holds no secret, however deep it lies, and says that there was one', async () => {
    await audited(log, act(), async () => ({
      target: { kind: 'thing', id: 'secretive' },
      before: { password: 'hunter2', has_secret: true, pin: null, shipping: 'by sea' },
      after: {
        list: [{ webhookSecret: 'whsec_1', apiTokens: ['a'], icNumber: '900101' }],
        raw: Buffer.from('x'),
      },
      result: null,
    }))
    const [row] = await rowsAbout('secretive')
    expect(JSON.parse(row?.before ?? '')).toEqual({
      password: '(hidden)',
      has_secret: true,
      pin: null,
      shipping: 'by sea',
    })
    expect(JSON.parse(row?.after ?? '')).toEqual({
      list: [{ webhookSecret: '(hidden)', apiTokens: '(hidden)', icNumber: '(hidden)' }],
      raw: '(hidden)',
    })
  })

  it('keeps the size of what is too long instead of it', async () => {
    await audited(log, act(), async () => ({
      target: { kind: 'thing', id: 'long' },
      before: null,
      after: 'x'.repeat(70_000),
      result: null,
    }))
    expect((await rowsAbout('long'))[0]?.after).toBe('{"(too long)":70002}')
  })

  it('is found by actor, action, its beginning, and target, newest first and page by page', async () => {
    const caller = { kind: 'command', name: 'test' } as const
    for (const name of ['a', 'b', 'c']) await make(`page-${name}`, { caller, action: 'page.thing.create' })
    const found = async (filter: Partial<AuditFilter>) =>
      (await listAudit(log, { ...ALL, ...filter })).map(({ target }) => target)
    const whole = ['page-c', 'page-b', 'page-a']
    expect(await found({ actor: 'test' })).toEqual(whole)
    expect(await found({ action: 'page' })).toEqual(whole)
    expect(await found({ action: 'page.thing.create', limit: 1 })).toEqual(['page-c'])
    expect(await found({ action: 'pag' })).toEqual([])
    const [first] = await listAudit(log, { ...ALL, action: 'page' })
    expect(await found({ action: 'page', beforeSequence: first?.sequence ?? 0n })).toEqual([
      'page-b',
      'page-a',
    ])
    expect(await found({ target: 'page-b', targetKind: 'thing' })).toEqual(['page-b'])
  })

  it.each([
    'update audit_log set reason = reason',
    'delete from audit_log',
    'truncate audit_log',
    'delete from audit_head',
    'delete from audit_keys',
  ])('refuses: %s', async (statement) => {
    await expect(test.database.query(statement)).rejects.toThrow('immutable')
  })
})

describe('verifying', () => {
  let bench: TestDatabase
  let own: AuditLog
  beforeAll(async () => {
    bench = await openTestDatabase()
    own = createAuditLog(bench)
    await bench.database.query('create table things (name text primary key, size integer not null)')
    for (const name of ['one', 'two', 'three', 'four']) await make(name, {}, own)
  })
  afterAll(() => bench.close())

  /**
   * Returns the report after somebody with full rights in the database ran these statements; they are undone
   * afterwards.
   */
  async function afterTampering(...statements: string[]): Promise<AuditReport> {
    const undo = new Error('undo')
    let report: AuditReport | undefined
    const work = bench.database.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      for (const statement of statements) await tx.query(statement)
      // A snapshot cannot begin within a transaction; this database does the same reads without it.
      const database = {
        ...bench.database,
        transaction: ((inner) =>
          inner({
            ...tx,
            query: ((statement, values) =>
              String(statement).startsWith('set transaction')
                ? Promise.resolve({ rows: [], rowCount: 0 })
                : tx.query(statement, values)) as typeof tx.query,
          })) as typeof bench.database.transaction,
      }
      report = await verifyAudit({ database, vault: bench.vault })
      throw undo
    })
    await expect(work).rejects.toBe(undo)
    if (report === undefined) throw new Error('nothing was verified')
    return report
  }

  it('finds nothing where nothing was changed, or nothing is', async () => {
    expect(await verifyAudit(own)).toMatchObject({ broken: undefined, recordCount: 4n })
    const empty = await openTestDatabase()
    expect(await verifyAudit(empty)).toEqual({ broken: undefined, recordCount: 0n, head: undefined })
    await empty.close()
  })

  it.each([
    "at = at + interval '1 microsecond'",
    "actor_kind = 'token'",
    'actor_id = 8',
    'actor_id = null',
    "actor = 'other@example.com'",
    "credential = '42'",
    'address = null',
    "action = 'thing.remove'",
    "target_kind = 'other'",
    "target = 'other'",
    "before = '{}'",
    'after = \'{"name": "two","size":"1"}\'',
    "reason = 'another'",
    "hash = decode(repeat('00', 32), 'hex')",
  ])('finds a row in which %s', async (assignment) => {
    const { broken } = await afterTampering(`update audit_log set ${assignment} where sequence = 2`)
    expect(broken).toMatchObject({ kind: 'hash', sequence: 2n })
  })

  it.each([
    ['a row that was taken out', ['delete from audit_log where sequence = 2'], 'sequence', 2n],
    ['the first row taken out', ['delete from audit_log where sequence = 1'], 'sequence', 1n],
    ['the last row taken out', ['delete from audit_log where sequence = 4'], 'head', 4n],
    [
      'the last row taken out and the head set back to the one before',
      [
        'delete from audit_log where sequence = 4',
        'update audit_head set sequence = 3, hash = (select hash from audit_log where sequence = 3)',
      ],
      'head',
      3n,
    ],
    ['all rows taken out', ['delete from audit_log'], 'head', 4n],
    ['the head taken away', ['delete from audit_head'], 'head', 4n],
    ['all rows and the head taken away', ['delete from audit_log', 'delete from audit_head'], 'head', 0n],
    [
      'two rows in each other’s place',
      [
        'update audit_log set sequence = 99 where sequence = 2',
        'update audit_log set sequence = 2 where sequence = 3',
        'update audit_log set sequence = 3 where sequence = 99',
      ],
      'hash',
      2n,
    ],
    ['the key taken away', ['delete from audit_keys'], 'key', undefined],
    ['another key', ["update audit_keys set sealed_key = decode('00', 'hex')"], 'key', undefined],
  ])('finds %s', async (_what, statements, kind, sequence) => {
    const { broken } = await afterTampering(...statements)
    expect(broken).toMatchObject({ kind, sequence })
  })

  it('finds a log that was rolled back as a whole, by a head that was written down', async () => {
    const { head } = await verifyAudit(own)
    const noted = [{ sequence: 5n, hash: Buffer.alloc(32, 1) }]
    expect((await verifyAudit(own, head && [head])).broken).toBeUndefined()
    expect((await verifyAudit(own, noted)).broken).toMatchObject({ kind: 'noted_head', sequence: 5n })
    const other = [{ sequence: 3n, hash: Buffer.alloc(32, 1) }]
    expect((await verifyAudit(own, other)).broken).toMatchObject({ kind: 'noted_head', sequence: 3n })
  })

  it('takes no rows where the log was wiped, so that none begins anew', async () => {
    const wiped = await openTestDatabase()
    const emptied = createAuditLog(wiped)
    await emptied.key()
    expect((await verifyAudit(emptied)).broken).toBeUndefined()
    const write = () =>
      audited(emptied, act(), async () => ({
        target: { kind: 't', id: 't' },
        before: null,
        after: null,
        result: null,
      }))
    await write()
    await wiped.database.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      await tx.query('delete from audit_log')
      await tx.query('delete from audit_head')
    })
    await expect(write()).rejects.toThrow('the head of the audit log is gone')
    expect((await verifyAudit(emptied)).broken).toMatchObject({ kind: 'head' })
    await wiped.close()
  })

  it('makes no second key where rows of the first are', async () => {
    const gone = await openTestDatabase()
    const first = createAuditLog(gone)
    await audited(first, act(), async () => ({
      target: { kind: 't', id: 't' },
      before: null,
      after: null,
      result: null,
    }))
    await gone.database.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      await tx.query('delete from audit_keys')
    })
    await expect(createAuditLog(gone).key()).rejects.toThrow('the key of the audit log is gone')
    await gone.close()
  })
})
