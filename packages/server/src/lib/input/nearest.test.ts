import { describe, expect, it } from 'vitest'
import { createHints, editDistance, nearestNames, noSuchName } from './nearest.ts'

describe('the names that a misspelt one may have meant', () => {
  it.each([
    ['STANDRD', ['STANDARD']],
    ['standard', ['STANDARD']],
    ['STADNARD', ['STANDARD']],
    ['GLOD', ['GOLD']],
    ['X', []],
    ['', []],
  ])('%s', (wanted, expected) => {
    expect(nearestNames(wanted, ['STANDARD', 'GOLD', 'PLATINUM'])).toEqual(expected)
  })

  it('are at most three, the nearest first', () => {
    expect(nearestNames('NOVA10', ['NOVB11', 'NOVA11', 'NOVA12', 'NOVA1', 'OTHER'])).toEqual([
      'NOVA1',
      'NOVA11',
      'NOVA12',
    ])
  })

  it('stand in the refusal, and nothing does where nothing is near', () => {
    expect(noSuchName('product', 'NOVVA', ['NOVA'])).toBe('There is no product NOVVA. Did you mean NOVA?')
    expect(noSuchName('product', 'ZZZZZ', ['NOVA'])).toBe('There is no product ZZZZZ.')
    expect(noSuchName('product', 'Z'.repeat(10_000), ['NOVA']).length).toBeLessThan(200)
  })

  it('are looked for for the first names of a long list alone', () => {
    let looks = 0
    const known = {
      keys() {
        looks += 1
        return ['NOVA']
      },
    }
    const hintOf = createHints(known)
    const hints = Array.from({ length: 2_000 }, () => hintOf('NOVVA'))
    expect(hints.filter((hint) => hint === ' (did you mean NOVA?)')).toHaveLength(20)
    expect(looks).toBe(20)
  })

  it('count a swap of neighbours as one slip', () => {
    expect([editDistance('AB', 'BA'), editDistance('kitten', 'sitting'), editDistance('', 'abc')]).toEqual([
      1, 3, 3,
    ])
  })
})
