import { describe, expect, it } from 'vitest'
import { card, jsonText, printable, printerFor, table } from './output.ts'

describe('output', () => {
  it('lays rows out in columns', () => {
    expect(
      table([
        { code: 'A', name: 'long name' },
        { code: 'BCD', name: null },
      ]),
    ).toBe('code  name\nA     long name\nBCD')
    expect(card({ a: 1, long: true })).toBe('a     1\nlong  true')
  })

  it('never lets text of others steer the terminal', () => {
    expect(printable('a\u001b[2Jb\nc\u009b')).toBe('a [2Jb c ')
    const json = jsonText({ name: 'a\u001b[2Jb\u009b2J\u007f' })
    expect(json).toBe('{"name":"a\\u001b[2Jb\\u009b2J\\u007f"}')
    expect(JSON.parse(json)).toEqual({ name: 'a\u001b[2Jb\u009b2J\u007f' })
  })

  it('is JSON alone when JSON is asked for', () => {
    const texts: string[] = []
    const print = printerFor({ out: (text) => texts.push(text), note: () => {} }, true)
    print.list([{ a: 1 }], () => ({ other: 2 }))
    print.item({ b: 2 }, 'text')
    expect(texts).toEqual(['[\n  {\n    "a": 1\n  }\n]\n', '{"b":2}\n'])
  })
})
