import { describe, expect, it } from 'vitest'
import { highlight } from './highlight.ts'
import { rewriteLinks } from './links.ts'
import { readFence, renderMarkdown } from './markdown.ts'
import { insertCode, insertTables, markdownTable, tableMakers } from './tables.ts'

const EVIL = `<script>alert("x")</script>`

describe('Markdown', () => {
  it('shows markup in a text as text, in every place', () => {
    const { markup } = renderMarkdown(
      [`# ${EVIL}`, `a ${EVIL} b`, EVIL, `| ${EVIL} |\n|---|\n| ${EVIL} |`, `\`\`\`js\n${EVIL}\n\`\`\``].join(
        '\n\n',
      ),
    )
    expect(markup).not.toContain('<script')
    expect(markup).toContain('&lt;script&gt;')
  })

  it('gives headings the ids that links from the repository use, each once', () => {
    const { headings } = renderMarkdown('# A\n\n## The `X-Api-Key` header, twice\n\n## Same\n\n## Same\n')
    expect(headings.map(({ id }) => id)).toEqual(['a', 'the-x-api-key-header-twice', 'same', 'same-1'])
  })

  it('drops comments, and keeps them out of the search', () => {
    const { markup, sections } = renderMarkdown('# A\n\n<!-- hidden -->\n\nshown\n')
    expect(markup).not.toContain('hidden')
    expect(sections.map(({ text }) => text).join(' ')).toBe('shown')
  })

  it('lets the keyboard reach every block that scrolls', () => {
    const { markup } = renderMarkdown('```sh\nls\n```\n\n| a |\n|---|\n| b |\n')
    expect(markup).toMatch(/<pre tabindex="0"/)
    expect(markup).toMatch(/<div class="table" tabindex="0"/)
  })
})

it('links are rewritten outside code alone', () => {
  const text = '[a](x.md) `[a](x.md)`\n\n```md\n[a](x.md)\n```\n'
  expect(rewriteLinks(text, () => '/docs/x')).toBe('[a](/docs/x) `[a](x.md)`\n\n```md\n[a](x.md)\n```\n')
  expect(rewriteLinks('[a](gone.md)', () => undefined)).toBe('a')
})

it('a fence names its language, its file and what to do with it', () => {
  expect(readFence('js run file=pay.mjs expect=200')).toMatchObject({ language: 'js', file: 'pay.mjs' })
  expect(readFence('sh run').flags.has('run')).toBe(true)
})

describe('colours of code', () => {
  it.each([
    ['js', '// no\nconst a = "b" + 1', '<span class="c">// no</span>'],
    ['py', 'def f(): return "a"', '<span class="k">def</span>'],
    ['sh', 'echo "a" # why', '<span class="c"># why</span>'],
    ['java', 'return 12;', '<span class="n">12</span>'],
  ])('mark the words of %s', (language, code, expected) => {
    expect(highlight(code, language)).toContain(expected)
  })

  it.each(['js', 'py', 'sh', 'php', 'go', 'java', 'json', 'unknown'])(
    'change no character of %s',
    (language) => {
      const code = `a < b && "c'd" /* e */ # f // 'g' \`h\` 12 return`
      const text = highlight(code, language)
        .replaceAll(/<[^>]+>/g, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&')
      expect(text).toBe(code)
    },
  )
})

describe('tables of the service', () => {
  it('stand where a page asks for them, and an unknown name is a mistake', () => {
    const makers = tableMakers({
      errors: [],
      orderMoves: { draft: ['confirmed', 'timeout'], timeout: [] },
      settings: [],
      testAccounts: [{ account: '6012', outcome: 'failed', code: 48, text: 'Fails | always.' }],
    })
    const text = insertTables('# A\n\n<!-- table: test-accounts -->\n', makers)
    expect(text).toContain('| `6012` | failed | `48` | Fails \\| always. |')
    const moves = insertTables('<!-- table: order-moves -->', makers)
    expect(moves).toContain('| `draft` | `confirmed`, `timeout` |\n| `timeout` | nothing: it is final |')
    expect(() => insertTables('<!-- table: none -->', makers)).toThrow('none')
  })

  it('code of a file stands where a page links to it under its mark, and a file that is missing is a mistake', () => {
    const files = new Map([['docs/examples/pay.ts', 'pay()\n']])
    const marked = '<!-- code: ts file=pay.ts -->\n[pay.ts](../examples/pay.ts)\n'
    expect(insertCode(marked, 'docs/guides/a.md', files)).toBe('```ts file=pay.ts\npay()\n```\n')
    expect(() => insertCode(marked, 'docs/a.md', files)).toThrow('examples/pay.ts')
  })

  it('keep a row on one line', () => {
    expect(markdownTable(['a'], [['b\nc']])).toBe('| a |\n|---|\n| b c |')
  })
})
