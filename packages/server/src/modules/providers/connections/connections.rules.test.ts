import { describe, expect, it } from 'vitest'
import { RequestError } from '../../../lib/errors.ts'
import { readLimits, refuseProblems } from './connections.rules.ts'

const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'] as const

describe.each(NAMES)('a configuration with a member %s', (name) => {
  it('has a problem there, and in nothing else', () => {
    const { limits, problems } = readLimits(JSON.parse(`{"${name}":1,"breaker":{"${name}":1,"probes":2}}`))
    expect(limits).toEqual({ breaker: { probes: 2 } })
    expect(problems).toEqual([
      { path: `limits.${name}`, message: 'is not known' },
      { path: `limits.breaker.${name}`, message: 'is not known' },
    ])
  })

  it('is refused by that name', () => {
    let refusal: unknown
    try {
      refuseProblems([
        { path: name, message: 'is not known' },
        { path: name, message: 'is too long' },
      ])
    } catch (error) {
      refusal = error
    }
    expect(refusal).toBeInstanceOf(RequestError)
    expect(JSON.parse(JSON.stringify((refusal as RequestError).fields))).toEqual(
      JSON.parse(`{"${name}":["is not known","is too long"]}`),
    )
  })
})
