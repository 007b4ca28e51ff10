import { expect, it } from 'vitest'
import { blocksOf, piecesOf } from './markdown-blocks.ts'

it('a page is its blocks in order, without its title', () => {
  const page =
    '# T\n\nOne\ntwo.\n\n## H\n\n1. a\n2. b\n\n- c\n\n| x | y |\n|---|---|\n| a \\| b | c |\n\n```json\n{ }\n\n# no\n```\n'
  expect(blocksOf(page)).toEqual([
    { kind: 'text', text: 'One two.' },
    { kind: 'heading', text: 'H' },
    { kind: 'list', isNumbered: true, items: ['a', 'b'] },
    { kind: 'list', isNumbered: false, items: ['c'] },
    { kind: 'table', rows: [['a | b', 'c']] },
    { kind: 'code', text: '{ }\n\n# no' },
  ])
})

it('a text that never ends its code, or is none of it, is read to its end', () => {
  expect(blocksOf('```\nx')).toEqual([{ kind: 'code', text: 'x' }])
  expect(blocksOf('#none\n|half')).toEqual([{ kind: 'text', text: '#none |half' }])
})

it('a link leads to the web alone', () => {
  expect(
    piecesOf('see `a` and **b** at [c](https://c.example) or [d](javascript:x) or [e](../e.md)'),
  ).toEqual([
    { kind: 'text', text: 'see ' },
    { kind: 'code', text: 'a' },
    { kind: 'text', text: ' and ' },
    { kind: 'strong', text: 'b' },
    { kind: 'text', text: ' at ' },
    { kind: 'link', text: 'c', to: 'https://c.example' },
    { kind: 'text', text: ' or ' },
    { kind: 'text', text: 'd' },
    { kind: 'text', text: ' or ' },
    { kind: 'text', text: 'e' },
  ])
})
