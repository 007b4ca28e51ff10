import fc from 'fast-check'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { createGroupCommit, NotAttemptedError, UncertainOutcomeError } from './group-commit.ts'

type Deferred = { resolve(): void; promise: Promise<void> }

function deferred(): Deferred {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { resolve, promise }
}

/** Builds an error as the server reports it after rolling the transaction back. */
function reported(text: string, code?: string): Error {
  const error = new pg.DatabaseError(text, text.length, 'error')
  error.severity = 'ERROR'
  error.code = code
  return error
}

async function untilTrue(isTrue: () => boolean): Promise<void> {
  const giveUpAtMs = performance.now() + 60_000
  while (!isTrue()) {
    if (performance.now() > giveUpAtMs) throw new Error('gave up waiting')
    await nextTurn()
  }
}

const sqlCode = (error: unknown) => (error instanceof pg.DatabaseError ? error.code : undefined)

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe('group commit', () => {
  it('fills the next batch while one is under way, and keeps each answer with its command', async () => {
    const batches: number[][] = []
    const gates: Deferred[] = []
    const group = createGroupCommit<number, string>({
      name: 'test',
      batchMax: 100,
      queueMax: 1_000,
      lanes: 1,
      async execute(commands) {
        batches.push([...commands])
        const gate = deferred()
        gates.push(gate)
        await gate.promise
        return commands.map((command) => `answer ${command}`)
      },
    })
    const answers = [group.submit(1), group.submit(2)]
    await nextTurn()
    answers.push(group.submit(3), group.submit(4), group.submit(5))
    await nextTurn()
    expect(batches).toEqual([[1, 2]])
    expect([group.waiting, group.unanswered]).toEqual([3, 5])
    gates[0]?.resolve()
    await answers[0]
    await nextTurn()
    expect(batches).toEqual([
      [1, 2],
      [3, 4, 5],
    ])
    gates[1]?.resolve()
    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5].map((number) => `answer ${number}`))
  })

  it('refuses at once what does not fit in the queue', async () => {
    const gate = deferred()
    const group = createGroupCommit<number, number>({
      name: 'test',
      batchMax: 1,
      queueMax: 2,
      lanes: 1,
      async execute(commands) {
        await gate.promise
        return commands
      },
    })
    const first = group.submit(0)
    await nextTurn()
    const kept = [group.submit(1), group.submit(2)]
    await expect(group.submit(3)).rejects.toBeInstanceOf(NotAttemptedError)
    gate.resolve()
    expect(await Promise.all([first, ...kept])).toEqual([0, 1, 2])
  })

  it('one bad command fails alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }), async (bad) => {
        const committed: number[] = []
        const group = createGroupCommit<number, number>({
          name: 'test',
          batchMax: 16,
          queueMax: 1_000,
          lanes: 2,
          async execute(commands) {
            if (commands.some((command) => bad[command] === true)) throw reported('bad command')
            committed.push(...commands)
            return commands
          },
        })
        const results = await Promise.allSettled(bad.map((_, index) => group.submit(index)))
        expect(results.map((result) => result.status === 'rejected')).toEqual(bad)
        expect(committed.sort((a, b) => a - b)).toEqual(bad.flatMap((isBad, index) => (isBad ? [] : [index])))
      }),
    )
  })

  it('a lost connection is tried once more with the same commands, and then called uncertain', async () => {
    const runs: number[][] = []
    const group = createGroupCommit<number, number>({
      name: 'test',
      batchMax: 10,
      queueMax: 10,
      lanes: 1,
      async execute(commands) {
        runs.push([...commands])
        if (commands.includes(13) || runs.length === 1) throw new Error('connection terminated')
        return commands
      },
    })
    expect(await Promise.all([group.submit(1), group.submit(2)])).toEqual([1, 2])
    expect(runs).toEqual([
      [1, 2],
      [1, 2],
    ])
    await expect(group.submit(13)).rejects.toBeInstanceOf(UncertainOutcomeError)
    expect(runs.slice(2)).toEqual([[13], [13]])
  })

  it.each([[1], [3]])(
    'a command that may have been committed stays uncertain when its second run is rolled back (a batch of %i)',
    async (count) => {
      let runs = 0
      const group = createGroupCommit<number, number>({
        name: 'test',
        batchMax: 10,
        queueMax: 10,
        lanes: 1,
        async execute() {
          runs += 1
          if (runs === 1) throw new Error('connection terminated')
          throw reported('new row violates a check constraint', '23514')
        },
      })
      const submitted = Array.from({ length: count }, (_, command) => group.submit(command))
      for (const result of await Promise.allSettled(submitted)) {
        expect(result).toMatchObject({ reason: expect.any(UncertainOutcomeError) })
      }
    },
  )

  it('a batch that a server which only reads refuses twice was certainly not committed, and is not halved', async () => {
    const runs: number[][] = []
    const refusal = reported('cannot execute INSERT in a read-only transaction', '25006')
    const group = createGroupCommit<number, number>({
      name: 'test',
      batchMax: 10,
      queueMax: 10,
      lanes: 1,
      async execute(commands) {
        runs.push([...commands])
        throw refusal
      },
    })
    const results = await Promise.allSettled([group.submit(1), group.submit(2), group.submit(3)])
    expect(results.map((result) => (result.status === 'rejected' ? result.reason : result))).toEqual([
      refusal,
      refusal,
      refusal,
    ])
    expect(runs).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ])
  })

  it('a batch that took too long is run once more whole, and not once for each of its halves', async () => {
    const runs: number[][] = []
    const group = createGroupCommit<number, number>({
      name: 'test',
      batchMax: 10,
      queueMax: 10,
      lanes: 1,
      async execute(commands) {
        runs.push([...commands])
        throw reported('canceling statement due to statement timeout', '57014')
      },
    })
    const results = await Promise.allSettled([group.submit(1), group.submit(2), group.submit(3)])
    for (const result of results) {
      expect(result).toMatchObject({ reason: expect.any(UncertainOutcomeError) })
    }
    expect(runs).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ])
  })

  it('tells how long it has stood still, and when it last committed', async () => {
    const gates: Deferred[] = []
    const group = createGroupCommit<number, number>({
      name: 'test',
      batchMax: 1,
      queueMax: 10,
      lanes: 1,
      async execute(commands) {
        const gate = deferred()
        gates.push(gate)
        await gate.promise
        return commands
      },
    })
    const begun = { stalledMs: 0, committedAgoMs: Number.POSITIVE_INFINITY, isOutOfRoom: false }
    expect(group.progress).toEqual(begun)
    const answers = [group.submit(1), group.submit(2)]
    await nextTurn()
    await untilTrue(() => group.progress.stalledMs > 20)
    gates[0]?.resolve()
    await answers[0]
    expect(group.progress.stalledMs).toBeLessThanOrEqual(group.progress.committedAgoMs)
    await untilTrue(() => gates.length === 2)
    gates[1]?.resolve()
    await answers[1]
    await untilTrue(() => group.unanswered === 0)
    expect(group.progress.stalledMs).toBe(0)
    expect(group.progress.committedAgoMs).toBeLessThan(Number.POSITIVE_INFINITY)
  })

  it('a database without room refuses the whole batch at once, and the queue says so until something is committed', async () => {
    const batches: number[][] = []
    let isFull = true
    const group = createGroupCommit<number, number>({
      name: 'test',
      batchMax: 100,
      queueMax: 100,
      lanes: 1,
      async execute(commands) {
        batches.push([...commands])
        await nextTurn()
        if (isFull) throw reported('could not extend file: No space left on device', '53100')
        return commands
      },
    })
    const answers = await Promise.allSettled([1, 2, 3, 4, 5].map((each) => group.submit(each)))
    expect(answers.map((answer) => answer.status === 'rejected' && sqlCode(answer.reason))).toEqual(
      Array(5).fill('53100'),
    )
    expect(batches.flat().sort()).toEqual([1, 2, 3, 4, 5])
    expect(group.progress.isOutOfRoom).toBe(true)
    isFull = false
    await group.submit(6)
    expect(group.progress.isOutOfRoom).toBe(false)
  })

  it('a command past its deadline never reaches the database', async () => {
    const seen: number[] = []
    const group = createGroupCommit<number, number>({
      name: 'test',
      batchMax: 10,
      queueMax: 10,
      lanes: 1,
      async execute(commands) {
        seen.push(...commands)
        return commands
      },
    })
    const late = group.submit(1, performance.now() - 1)
    const timely = group.submit(2, performance.now() + 60_000)
    await expect(late).rejects.toBeInstanceOf(NotAttemptedError)
    expect(await timely).toBe(2)
    expect(seen).toEqual([2])
  })

  it('draining answers what was accepted and refuses what comes after', async () => {
    const group = createGroupCommit<number, number>({
      name: 'test',
      batchMax: 2,
      queueMax: 100,
      lanes: 2,
      async execute(commands) {
        await nextTurn()
        return commands
      },
    })
    const accepted = Array.from({ length: 9 }, (_, index) => group.submit(index))
    const drained = group.drain()
    await expect(group.submit(99)).rejects.toBeInstanceOf(NotAttemptedError)
    await drained
    expect(await Promise.all(accepted)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  })
})
