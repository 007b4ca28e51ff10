import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../testing/runs.ts'
import type { JsonNode } from './json.rules.ts'
import { parseJson, plainOf } from './json.rules.ts'

function read(text: string): { node: JsonNode | undefined; problems: string[] } {
  const problems: string[] = []
  const node = parseJson(text, (line, message) => problems.push(`${line}: ${message}`))
  return { node, problems }
}

describe('JSON with lines', () => {
  it('is read as the language itself reads it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const { node, problems } = read(text)
        expect(problems).toEqual([])
        expect(node && plainOf(node)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('is refused where the language refuses it', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '1',
      '-',
      '0',
      '.',
      'e',
      'true',
      'nul',
      '\\',
      '\n',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const text = parts.join('')
        let isJson = true
        try {
          JSON.parse(text)
        } catch {
          isJson = false
        }
        expect(read(text).node !== undefined).toBe(isJson)
      }),
      { numRuns: runs(2_000) },
    )
  })

  it('knows the line of every value', () => {
    const { node } = read('{\n  "a": [\n    1,\n    {"b": null}\n  ],\n  "c": "x"\n}')
    const a = node?.kind === 'object' ? node.members.get('a') : undefined
    expect(a).toMatchObject({ line: 2, items: [{ line: 3, value: 1 }, { line: 4 }] })
    expect(node).toMatchObject({ line: 1 })
  })

  it.each([
    ['{\n"a": 1,\n"a": 2}', '3: "a" stands twice in one object'],
    ['{\n"a": "x', '2: no valid JSON: a text never ends: the file is cut off'],
    ['{\n"a": "x\ny"}', '2: no valid JSON: a line end or control character inside a text'],
    ['[1,\n2', '2: no valid JSON: "," or "]" expected, not the end of the file'],
    ['[1,\n2]\nx', '3: no valid JSON: text after the end of the document'],
    ['{\na: 1}', `2: no valid JSON: a member's name expected, not "a"`],
    ['["\\x"]', '1: no valid JSON: a text with a broken escape'],
    ['', '1: no valid JSON: a value expected, not the end of the file'],
    ['['.repeat(100), '1: no valid JSON: more than 32 levels deep'],
  ])('tells what is wrong with %j and where', (text, problem) =>
    expect(read(text).problems).toEqual([problem]),
  )
})
