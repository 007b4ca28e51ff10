import { describe, expect, it } from 'vitest'
import { RequestError } from '../errors.ts'
import type { Asker, HashLimits, HashTurns } from './hash-turns.ts'
import { createHashTurns, personOf, strangerAt } from './hash-turns.ts'

const LIMITS: HashLimits = {
  atOnceMax: 2,
  strangersAtOnceMax: 1,
  strangersRest: 0,
  waitingOfOneMax: 4,
  waitingMax: 12,
  waitMs: 600_000,
}
const MEMBER = personOf('member', 'A1', 'ali')
const OPERATOR = personOf('operator', '', 'o@example.com')

/** Turns whose work ends when the test says so. */
function open(limits: Partial<HashLimits> = {}) {
  const turns: HashTurns = createHashTurns({ ...LIMITS, ...limits })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const refused: string[] = []
  return {
    begun,
    refused,
    ask(name: string, asker: Asker): void {
      turns
        .take(asker, () => {
          begun.push(name)
          return new Promise<void>((resolve) => ends.set(name, resolve))
        })
        .catch(() => refused.push(name))
    },
    async end(name: string): Promise<void> {
      ends.get(name)?.()
      await settled()
    },
    /** Ends the work that began last, again and again, until nothing new begins. */
    async drain(): Promise<void> {
      for (let at = 0; at < begun.length; at += 1) {
        ends.get(begun[at] ?? '')?.()
        await settled()
      }
    },
  }
}

/** Lets everything happen that waits for nothing but its turn in this process. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('turns of password hashes', () => {
  it('come to a known person and to an operator before any number of strangers', async () => {
    const { ask, end, begun } = open()
    for (let at = 1; at <= 16; at += 1) ask(`stranger ${at}`, strangerAt(`192.0.2.${at}`))
    ask('member', MEMBER)
    await settled()
    expect(begun).toEqual(['stranger 1', 'member'])
    ask('operator', OPERATOR)
    await settled()
    await end('member')
    expect(begun).toEqual(['stranger 1', 'member', 'operator'])
  })

  it('go around the networks of strangers: one with many requests delays another one by one turn', async () => {
    const { ask, drain, begun } = open()
    for (const name of ['a1', 'a2', 'a3', 'a4']) ask(name, strangerAt('192.0.2.1'))
    ask('b1', strangerAt('198.51.100.1'))
    ask('c1', strangerAt('2001:db8::1'))
    ask('c2', strangerAt('2001:db8::2'))
    await settled()
    await drain()
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'a4'])
  })

  it('are shared by neighbouring addresses: sixteen of one /24 delay another network no more than one does', async () => {
    const { ask, drain, begun } = open()
    for (let at = 1; at <= 10; at += 1) ask(`near ${at}`, strangerAt(`192.0.2.${at}`))
    ask('far', strangerAt('198.51.100.1'))
    await settled()
    await drain()
    expect(begun.slice(0, 3)).toEqual(['near 1', 'far', 'near 2'])
  })

  it('go around the accounts of members, and in an account around its people', async () => {
    const { ask, drain, begun } = open({ atOnceMax: 1 })
    for (const name of ['ali', 'ben', 'cem']) ask(name, personOf('member', 'A1', name))
    ask('ali again', personOf('member', 'A1', 'ali'))
    ask('dia', personOf('member', 'B2', 'dia'))
    await settled()
    await drain()
    expect(begun).toEqual(['ali', 'dia', 'ben', 'cem', 'ali again'])
  })

  it('come to strangers too while members ask without an end', async () => {
    const { ask, end, begun } = open()
    for (const at of [1, 2, 3, 4]) ask(`member ${at}`, personOf('member', 'A1', `m${at}`))
    ask('stranger', strangerAt('192.0.2.1'))
    await settled()
    expect(begun).toEqual(['member 1', 'member 2'])
    await end('member 1')
    expect(begun).toEqual(['member 1', 'member 2', 'stranger'])
  })

  it('are refused with 503 to one who waits too often, and to nobody else', async () => {
    const { ask, refused, begun } = open()
    for (let at = 1; at <= 7; at += 1) ask(`a${at}`, strangerAt('192.0.2.1'))
    ask('b', strangerAt('198.51.100.1'))
    ask('member', MEMBER)
    await settled()
    expect(refused).toEqual(['a6', 'a7'])
    expect(begun).toContain('member')
  })

  it('are taken from the largest network when the queue is full, not from the one that comes last', async () => {
    const { ask, refused, drain, begun } = open({ waitingMax: 5 })
    for (const at of [1, 2, 3]) {
      for (const name of ['x', 'y']) ask(`near ${at}${name}`, strangerAt(`192.0.2.${at}`))
    }
    ask('far', strangerAt('198.51.100.1'))
    await settled()
    expect(refused).toEqual(['near 2y'])
    await drain()
    expect(begun).toContain('far')
  })

  it('are followed by a rest for strangers, which holds up no known person', async () => {
    const { ask, end, begun } = open({ atOnceMax: 1, strangersRest: 1_000_000 })
    ask('stranger', strangerAt('192.0.2.1'))
    ask('next', strangerAt('192.0.2.2'))
    await settled()
    ask('member', MEMBER)
    await end('stranger')
    expect(begun).toEqual(['stranger', 'member'])
    await end('member')
    expect(begun).toEqual(['stranger', 'member'])
  })

  it('are not taken later when they do not come in time', async () => {
    const { ask, end, begun, refused } = open({ atOnceMax: 1, waitMs: 1 })
    ask('first', MEMBER)
    ask('late', OPERATOR)
    await expect.poll(() => refused).toEqual(['late'])
    await end('first')
    expect(begun).toEqual(['first'])
  })

  it('are given back by work that fails', async () => {
    const turns = createHashTurns({ ...LIMITS, atOnceMax: 1 })
    await expect(turns.take(MEMBER, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await turns.take(MEMBER, () => Promise.resolve('yes'))).toBe('yes')
  })

  it('are refused beforehand to whom they would be refused, and to nobody else', async () => {
    const turns = createHashTurns({ ...LIMITS, waitingOfOneMax: 20 })
    const never = () => new Promise<void>(() => {})
    for (let at = 0; at <= LIMITS.waitingMax; at += 1) void turns.take(strangerAt('192.0.2.1'), never)
    expect(() => turns.admit(strangerAt('192.0.2.1'))).toThrow(RequestError)
    expect(() => turns.admit(strangerAt('192.0.2.2'))).not.toThrow()
    expect(() => turns.admit(strangerAt('198.51.100.1'))).not.toThrow()
    expect(() => turns.admit(MEMBER)).not.toThrow()
    expect(() => turns.admit(OPERATOR)).not.toThrow()
  })
})
