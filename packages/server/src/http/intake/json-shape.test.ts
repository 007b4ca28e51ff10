import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { excessOf, JSON_DEPTH_MAX, JSON_VALUES_MAX } from './json-shape.ts'

const judge = (text: string, valuesMax?: number) => excessOf(Buffer.from(text), valuesMax)

/** Counts by parsing, which the pass over the bytes replaces. An empty container counts as two values. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  const inner = Object.values(value)
  return inner.length === 0 ? 2 : inner.reduce((sum: number, each) => sum + valuesIn(each), 1)
}

describe('the shape of a JSON text', () => {
  it('is judged by depth, of arrays and objects together', () => {
    const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`
    expect(judge(nested(JSON_DEPTH_MAX))).toBeUndefined()
    expect(judge(nested(JSON_DEPTH_MAX + 2))).toBe('too_deep')
  })

  it('millions of brackets are judged by the first of them', () => {
    const bytes = Buffer.alloc(10 * 1024 * 1024, '[')
    let looked = 0
    const watched = new Proxy(bytes, {
      get(target, name) {
        if (typeof name === 'string' && /^\d+$/.test(name)) looked += 1
        return Reflect.get(target, name, target)
      },
    })
    expect(excessOf(watched)).toBe('too_deep')
    expect(looked).toBeLessThanOrEqual(JSON_DEPTH_MAX + 1)
  })

  it('is judged by the number of values, of whatever kind', () => {
    for (const value of ['1', '""', '{}', '[]', 'null', '"a,b"']) {
      const list = (count: number) => `[${Array.from({ length: count }, () => value).join(',')}]`
      expect(judge(list(JSON_VALUES_MAX / 4)), value).toBeUndefined()
      expect(judge(list(JSON_VALUES_MAX + 1)), value).toBe('too_many_values')
    }
    const keys = Array.from({ length: JSON_VALUES_MAX + 1 }, (_, index) => `"k${index}":1`)
    expect(judge(`{${keys.join(',')}}`)).toBe('too_many_values')
  })

  it('brackets in strings do not count', () => {
    const text = JSON.stringify({ remarks: '[{,"\\'.repeat(20_000) })
    expect(judge(text)).toBeUndefined()
    expect(judge(`{"a":"${'\\"['.repeat(20_000)}"}`)).toBeUndefined()
  })

  it('is within the bound exactly when the parsed value is', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), fc.integer({ min: 1, max: 60 }), (text, valuesMax) => {
        const isOver = valuesIn(JSON.parse(text)) > valuesMax
        expect(judge(text.padEnd(JSON_DEPTH_MAX + 1, ' '), valuesMax)).toBe(
          isOver ? 'too_many_values' : undefined,
        )
      }),
    )
  })

  it('bytes that are no JSON come to an end too', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        expect([undefined, 'too_deep', 'too_many_values']).toContain(excessOf(bytes, 50))
      }),
    )
  })
})
