import { describe, expect, it } from 'vitest'
import type { Operator } from '../accounts/types.ts'
import { areIndependent } from './independence.service.ts'

/** Makes operators numbered from 0, each let in by the given operator, or by nobody (null). */
function operatorsOf(letInBy: readonly (bigint | null)[]): Operator[] {
  return letInBy.map((empoweredBy, index) => ({
    id: BigInt(index),
    email: `${index}@example.com`,
    name: String(index),
    role: 'finance',
    status: 'active',
    demo: false,
    createdAt: new Date(0),
    empoweredAt: new Date(0),
    empoweredBy,
  }))
}

function judged(letInBy: readonly (bigint | null)[], a: number, b: number): boolean[] {
  const all = operatorsOf(letInBy)
  const [one, other] = [all[a], all[b]]
  if (one === undefined || other === undefined) throw new Error('there are not so many')
  return [areIndependent(one, other, all), areIndependent(other, one, all)]
}

describe('two operators are two persons to each other', () => {
  const YES = [true, true]
  const NO = [false, false]

  it.each([
    ['both at the machine', [null, null], YES],
    ['each by somebody else', [2n, 3n, null, null], YES],
    ['one by the other', [null, 0n], NO],
    ['one by whom the other let in', [null, 2n, 0n], NO],
    ['both by the same', [2n, 2n, null], NO],
    ['both in the end by the same', [2n, 3n, 4n, 4n, null], NO],
    ['by each other in a ring', [1n, 0n], NO],
    ['one within a ring of others', [2n, null, 3n, 2n], NO],
    ['one by themselves', [0n, null], NO],
    ['one by somebody who is not known', [9n, null], NO],
  ])('let in: %s', (_, letInBy, expected) => {
    expect(judged(letInBy, 0, 1)).toEqual(expected)
  })

  it('operators are never a second person to themselves', () => {
    expect(judged([null], 0, 0)).toEqual(NO)
  })
})
