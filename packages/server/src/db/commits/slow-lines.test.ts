import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { until } from '../../testing/payments/payments.ts'
import type { GroupCommit } from './group-commit.ts'
import { createGroupCommit, NotAttemptedError, UncertainOutcomeError } from './group-commit.ts'

// Tests how often commands are run that need a held row, or whose outcome is unknown.

type Command = { readonly row: string | undefined; readonly order: number }

function lockTimeout(): Error {
  const error = new pg.DatabaseError('canceling statement due to lock timeout', 1, 'error')
  error.severity = 'ERROR'
  error.code = '55P03'
  return error
}

/** Simulates a database in memory: rows that are held, and the batches that were tried and committed. */
function createRows(held: Set<string>) {
  const tried: Command[][] = []
  const committed: Command[] = []
  let looks = 0
  const group: GroupCommit<Command, number> = createGroupCommit<Command, number>({
    name: 'test',
    batchMax: 64,
    queueMax: 10_000,
    lanes: 1,
    fairnessKey: ({ row }) => row,
    async execute(commands) {
      tried.push([...commands])
      await Promise.resolve()
      if (commands.some(({ row }) => row !== undefined && held.has(row))) throw lockTimeout()
      committed.push(...commands)
      return commands.map(({ order }) => order)
    },
    heldRows: {
      keyOf: ({ row }) => row,
      findHeld(keys) {
        looks += 1
        return Promise.resolve(new Set(keys.filter((key) => held.has(String(key)))))
      },
    },
  })
  return { group, tried, committed, looks: () => looks }
}

const orders = (count: number) => Array.from({ length: count }, (_, order) => order)

describe('a row that somebody holds', () => {
  it('holds up its own commands alone: the others of the batch are run once more, and never halved', async () => {
    const held = new Set(['held'])
    const { group, tried } = createRows(held)
    const stuck = orders(8).map((order) => group.submit({ row: 'held', order }))
    const free = orders(56).map((order) => group.submit({ row: `row ${order}`, order }))
    expect(await Promise.all(free)).toEqual(orders(56))
    expect(tried.map((batch) => batch.length)).toEqual([64, 56])
    held.clear()
    expect(await Promise.all(stuck)).toEqual(orders(8))
  })

  it('is no standstill of the queue, neither while it is held nor when its commands go on', async () => {
    let isHeld = true
    let freeSinceMs = Number.NaN
    let looks = 0
    const stalls: number[] = []
    const group = createGroupCommit<Command, number>({
      name: 'test',
      batchMax: 64,
      queueMax: 100,
      lanes: 1,
      async execute(commands) {
        if (isHeld) throw lockTimeout()
        stalls.push(group.progress.stalledMs - (performance.now() - freeSinceMs))
        return commands.map(({ order }) => order)
      },
      heldRows: {
        keyOf: ({ row }) => row,
        async findHeld(keys) {
          looks += 1
          freeSinceMs = performance.now()
          return new Set(isHeld ? keys : [])
        },
      },
    })
    const stuck = group.submit({ row: 'held', order: 7 })
    await until('it was looked at several times', () => looks >= 3)
    expect(group.progress.stalledMs).toBe(0)
    isHeld = false
    expect(await stuck).toBe(7)
    expect(stalls).toHaveLength(1)
    expect(stalls[0]).toBeLessThanOrEqual(0)
  })

  it('is not waited for by batches that begin while it is held', async () => {
    const held = new Set(['held'])
    const { group, tried } = createRows(held)
    const stuck = [group.submit({ row: 'held', order: 0 })]
    await until('it was tried', () => tried.length === 1)
    stuck.push(group.submit({ row: 'held', order: 1 }))
    expect(await group.submit({ row: 'free', order: 2 })).toBe(2)
    expect(tried.flat().filter(({ row }) => row === 'held')).toHaveLength(1)
    held.clear()
    expect(await Promise.all(stuck)).toEqual([0, 1])
  })

  it('gives its commands back in the order in which they came', async () => {
    const held = new Set(['held'])
    const { group, committed, looks } = createRows(held)
    const stuck = orders(200).map((order) => group.submit({ row: 'held', order }))
    await until('it was looked at several times', () => looks() >= 3)
    held.clear()
    await Promise.all(stuck)
    expect(committed.map(({ order }) => order)).toEqual(orders(200))
  })

  it('is not waited for longer than the caller waits: certainly nothing was done', async () => {
    const held = new Set(['held'])
    const { group, committed } = createRows(held)
    let isAwaited = true
    const gone = group.submit({ row: 'held', order: 0 }, undefined, () => isAwaited)
    const late = group.submit({ row: 'held', order: 1 }, performance.now() + 100)
    await expect(late).rejects.toBeInstanceOf(NotAttemptedError)
    isAwaited = false
    await expect(gone).rejects.toBeInstanceOf(NotAttemptedError)
    expect(committed).toEqual([])
  })

  it('keeps a bounded number of commands waiting, and refuses more at once', async () => {
    const held = new Set(['held'])
    const { group, looks } = createRows(held)
    const stuck = orders(3_000).map((order) =>
      group.submit({ row: 'held', order }).catch((error: unknown) => error),
    )
    await until('the line is full', () => looks() > 0 && group.waiting === 1_024)
    held.clear()
    const answers = await Promise.all(stuck)
    expect(answers.slice(0, 1_024)).toEqual(orders(1_024))
    expect(answers.slice(1_024).every((each) => each instanceof NotAttemptedError)).toBe(true)
  })

  it('does not hold up a stop: what is still held is refused', async () => {
    const { group, tried } = createRows(new Set(['held']))
    const stuck = expect(group.submit({ row: 'held', order: 0 })).rejects.toBeInstanceOf(NotAttemptedError)
    await until('it was tried', () => tried.length === 1)
    await group.drain()
    await stuck
    expect(group.unanswered).toBe(0)
  })
})

describe('a batch that ran into a lock which nobody holds any more', () => {
  it('is tried a bounded number of times', async () => {
    let runs = 0
    const group = createGroupCommit<number, number>({
      name: 'test',
      batchMax: 8,
      queueMax: 100,
      lanes: 1,
      execute(commands) {
        runs += 1
        return runs > 10 ? Promise.resolve(commands) : Promise.reject(lockTimeout())
      },
      heldRows: { keyOf: () => 'row', findHeld: () => Promise.resolve(new Set()) },
    })
    const answer = group.submit(1)
    await until('it waits', () => runs === 3)
    expect(await answer).toBe(1)
    expect(runs).toBe(11)
  })
})

describe('a lost connection', () => {
  /** Loses every run; stops after some, so that an endless rerun fails the test instead of hanging it. */
  function createLossy(onRun: () => void = () => {}) {
    const runs: number[][] = []
    const group = createGroupCommit<number, number>({
      name: 'test',
      batchMax: 8,
      queueMax: 100,
      lanes: 1,
      async execute(commands) {
        runs.push([...commands])
        onRun()
        await new Promise((resolve) => setImmediate(resolve))
        if (runs.length < 6) throw new Error('connection terminated')
        return commands
      },
    })
    return { group, runs }
  }

  it('is followed by one rerun and no more', async () => {
    const { group, runs } = createLossy()
    const answers = await Promise.allSettled([group.submit(1), group.submit(2)])
    expect(runs).toEqual([
      [1, 2],
      [1, 2],
    ])
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 'rejected', reason: expect.any(UncertainOutcomeError) })
    }
  })

  it('is followed by no rerun of a command that nobody waits for any more, and its outcome is uncertain', async () => {
    let isAwaited = true
    const { group, runs } = createLossy(() => {
      isAwaited = false
    })
    const [gone, kept] = await Promise.allSettled([
      group.submit(1, undefined, () => isAwaited),
      group.submit(2),
    ])
    expect(runs).toEqual([[1, 2], [2]])
    for (const answer of [gone, kept]) {
      expect(answer).toMatchObject({ status: 'rejected', reason: expect.any(UncertainOutcomeError) })
    }
  })
})

it('a command whose caller has gone before its batch begins never reaches the database', async () => {
  const { group, committed } = createRows(new Set())
  const gone = group.submit({ row: undefined, order: 1 }, undefined, () => false)
  const kept = group.submit({ row: undefined, order: 2 }, undefined, () => true)
  await expect(gone).rejects.toBeInstanceOf(NotAttemptedError)
  expect(await kept).toBe(2)
  expect(committed.map(({ order }) => order)).toEqual([2])
})
