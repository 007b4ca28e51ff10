import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NOT_PAGES, OPTIONAL, WRITTEN } from './navigation.ts'
import type { SearchIndex } from './search/search.ts'
import { search } from './search/search.ts'
import { buildSite } from './site.ts'

// The whole site, made of the repository's own files: all links lead somewhere, and questions find their pages.

const ROOT = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')
const ROW = { message: null, cause: 'Cause.', remedy: 'Remedy.', retry: 'later', retry_safe: true }

function listMarkdown(folder: string): string[] {
  return readdirSync(new URL(`${folder}/`, ROOT), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    if (entry.isDirectory()) return listMarkdown(path)
    return path.endsWith('.md') ? [path] : []
  })
}

const PICTURES = [
  'docs/screens/portal-light.png',
  'docs/screens/console-dark.png',
  'docs/integrate/concepts.svg',
]
const MARKDOWN = listMarkdown('docs')
const SOURCES = [
  ...MARKDOWN,
  ...listMarkdown('packages/server/alerts'),
  ...readdirSync(new URL('docs/examples/', ROOT), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.\w+$/.test(name))
    .map((name) => `docs/examples/${name}`),
  'packages/suppliers/zendit/pack.json',
  ...['vectors/README.md', 'CHANGELOG.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...OPTIONAL.map(({ source }) => source).filter((path) => existsSync(new URL(path, ROOT))),
]

const FILES = buildSite({
  texts: new Map(SOURCES.map((path) => [path, read(path)])),
  pictures: new Map(PICTURES.map((path) => [path, new Uint8Array([1])])),
  documents: {
    reseller: JSON.parse(read('docs/openapi.json')),
    portal: JSON.parse(read('docs/openapi-portal.json')),
    operator: JSON.parse(read('docs/openapi-operator.json')),
  },
  tables: {
    errors: [
      {
        ...ROW,
        kind: 'authentication',
        code: null,
        token: 'invalid_signature',
        http_status: 401,
        outcome: null,
      },
      {
        ...ROW,
        kind: 'payment',
        code: 43,
        token: 'Insufficient_Balance',
        http_status: 400,
        outcome: 'rejected',
      },
      {
        ...ROW,
        kind: 'payment',
        code: 45,
        token: 'Out_Of_Stock',
        http_status: 400,
        outcome: 'rejected',
      },
      {
        ...ROW,
        kind: 'payment',
        code: 49,
        token: 'Temporary_Error_Please_Try_Again',
        http_status: 400,
        outcome: 'rejected',
      },
      { ...ROW, kind: 'payment', code: 48, token: null, http_status: 200, outcome: 'final' },
      { ...ROW, kind: 'http', code: null, token: null, http_status: 503, outcome: null },
    ],
    orderMoves: { draft: ['timeout'], timeout: [] },
    settings: [{ name: 'WARUNG_MASTER_KEY', usual: '', values: 'Base64', meaning: 'random bytes' }],
    testAccounts: [{ account: '60123450048', outcome: 'failed', code: 48, text: 'Fails with 48 at once.' }],
  },
  style: 'a { src: url("font.woff2") }',
  script: '',
  theme: '',
  icon: '<svg/>',
  fonts: new Map([['font.woff2', new Uint8Array([1])]]),
})

/** A program reads the list at each question, and a whole file at once: both fit. */
const LIST_BYTES_MAX = 10_000
const WHOLE_BYTES_MAX = 200_000

const PAGES = [...FILES]
  .filter(([name]) => name.endsWith('.html'))
  .map(([name, text]) => [name, String(text)] as const)
const TWINS = [...FILES].filter(([name]) => name.endsWith('.md'))
/** Addresses of the service that are not of the site. */
const SERVED = new Set(['/portal', '/openapi.json', '/llms.txt'])

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found = '']) => found)
}

const IDS = new Map(PAGES.map(([name, text]) => [name, new Set(matches(text, /\sid="([^"]*)"/g))]))

function problemOf(target: string, from: string): string | undefined {
  const [path = '', anchor] = target.split('#', 2)
  if (SERVED.has(path)) return undefined
  const name = path === '' ? from : path === '/docs' ? 'index.html' : path.replace(/^\/docs\//, '')
  const file = posix.extname(name) === '' ? `${name}.html` : name
  if (!path.startsWith('/docs') && path !== '') return `${from}: ${target} is not on the site`
  if (!FILES.has(file)) return `${from}: ${target} leads nowhere`
  if (anchor !== undefined && file.endsWith('.html') && IDS.get(file)?.has(anchor) !== true) {
    return `${from}: ${target} has no such place`
  }
  return undefined
}

describe('the site', () => {
  it('has links and anchors that all lead somewhere', () => {
    const problems = PAGES.flatMap(([name, text]) =>
      matches(text, /\s(?:href|src)="([^"]*)"/g)
        .filter((target) => !/^(https?|mailto):/.test(target))
        .flatMap((target) => problemOf(target.replaceAll('&amp;', '&'), name) ?? []),
    )
    expect(problems).toEqual([])
  })

  it('has a Markdown twin of every page, whose links lead to twins', () => {
    expect(TWINS).toHaveLength(PAGES.length)
    const problems = TWINS.flatMap(([name, text]) =>
      matches(String(text).replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, ''), /\]\((\/docs[^)\s]*)\)/g).flatMap(
        (target) => problemOf(target.split('#')[0] ?? '', name) ?? [],
      ),
    )
    expect(problems).toEqual([])
  })

  it('runs no inline script or style and loads nothing from another host', () => {
    for (const [name, text] of PAGES) {
      expect(text, name).not.toMatch(
        /<script(?![^>]*\ssrc=)|<style|<iframe|<object|<base\b|\son[a-z]+="|\sstyle="/i,
      )
      for (const target of matches(text, /<(?:script|link|img)[^>]*\s(?:src|href)="([^"]*)"/g)) {
        expect(target, name).toMatch(/^\/docs\//)
      }
    }
  })

  it('has no id twice on a page, one first heading, and levels that skip nothing', () => {
    for (const [name, text] of PAGES) {
      const ids = matches(text, /\sid="([^"]*)"/g)
      expect(new Set(ids).size, name).toBe(ids.length)
      const levels = matches(text, /<h([1-6])[\s>]/g).map(Number)
      expect(
        levels.filter((level) => level === 1),
        name,
      ).toHaveLength(1)
      for (const [at, level] of levels.entries())
        expect(level, name).toBeLessThanOrEqual((levels[at - 1] ?? 0) + 1)
    }
  })

  it('has a page of every file in docs/', () => {
    const written = new Set([...WRITTEN, ...OPTIONAL].map(({ source }) => source))
    const isShown = (path: string) =>
      written.has(path) || NOT_PAGES.includes(path) || FILES.has(`decisions/${posix.basename(path)}`)
    expect(MARKDOWN.filter((path) => !isShown(path))).toEqual([])
  })

  it('has a page of every operation and of every message to receivers', () => {
    const { paths, webhooks } = JSON.parse(read('docs/openapi.json')) as Record<
      string,
      Record<string, object>
    >
    const ids = [...Object.values(paths ?? {}), ...Object.values(webhooks ?? {})].flatMap((methods) =>
      Object.values(methods as Record<string, { operationId: string }>).map(({ operationId }) => operationId),
    )
    expect(ids.length).toBeGreaterThan(60)
    for (const id of ids) expect(FILES.has(`reference/${id}.html`), id).toBe(true)
  })

  it('shows requests that can be read: no value of an example is a text of a test of limits', () => {
    const long = TWINS.filter(([name]) => name.startsWith('reference/')).flatMap(([name, page]) =>
      [...String(page).matchAll(/['"]([^\s'"]{301,})['"]/g)].map(([, text]) => `${name}: ${text}`),
    )
    expect(long).toEqual([])
  })

  it('has a form to try signed operations, which stores nothing and is hidden until staging shows it', () => {
    const page = String(FILES.get('reference/pay.html'))
    expect(page).toMatch(/<section class="try" data-try data-method="POST" data-path="\/v2\/topup" hidden>/)
    expect(page).toMatch(/name="try-secret" required autocomplete="off"/)
  })

  it('lists its pages for programs that read', () => {
    const list = String(FILES.get('llms.txt'))
    for (const { path, group } of WRITTEN) {
      expect(list.includes(`{base_url}/docs/${path}.md)`), path).toBe(group === 'start' || group === 'guides')
    }
    expect(Buffer.byteLength(list)).toBeLessThan(LIST_BYTES_MAX)
  })

  it.each([
    ['integrator', '# Sign a request'],
    ['operator', '# Runbooks'],
    ['supplier', '# Connect a supplier without writing code'],
    ['contributor', '# Architecture'],
  ])('has one file with everything for the %s', (audience, heading) => {
    const text = String(FILES.get(`llms-${audience}.txt`))
    expect(text).toContain(`\n${heading}\n`)
    expect(Buffer.byteLength(text)).toBeLessThan(WHOLE_BYTES_MAX)
  })
})

describe('the reference', () => {
  it('writes formats and values as they are, also where a sentence begins with them', () => {
    const twins = TWINS.map(([, text]) => String(text)).join('\n')
    expect(matches(twins, /(.{20}(?:Yyyy|\| Null:).{0,20})/g)).toEqual([])
    expect(twins).toMatch(/\| yyyyMMdd\. \|/)
    expect(twins).toMatch(/\| yyyy-MM-dd HH:mm:ss, GMT\+8/)
  })

  it('shows a payment that a person would send', () => {
    const page = String(FILES.get('reference/pay.md'))
    expect(page).toMatch(/"refid": "INV-\d{6}"/)
    expect(page).not.toMatch(/"refid": ?"test-|"remarks": ?"a"|"biller_code": ?""/)
  })
})

describe('the search over the site', () => {
  const name = [...FILES.keys()].find((each) => /^assets\/search-.*\.json$/.test(each)) ?? ''
  const index = JSON.parse(String(FILES.get(name))) as SearchIndex

  it.each([
    ['Out_Of_Stock', '45 Out_Of_Stock', /^\/docs\/(payments#rejections|errors#payments)$/],
    ['out of stock', '45 Out_Of_Stock', /^\/docs\/(payments#rejections|errors#payments)$/],
    ['code 49', '49 Temporary_Error_Please_Try_Again', /^\/docs\/(payments#rejections|errors#payments)$/],
    ['49', '49 Temporary_Error_Please_Try_Again', /^\/docs\/(payments#rejections|errors#payments)$/],
    ['code 48', '48', /^\/docs\/(payments|errors#payments)/],
    ['invalid_signature', 'invalid_signature 401', /^\/docs\/errors#authentication$/],
  ])('finds the row that explains "%s" first', (question, title, expected) => {
    const [first] = search(index, question)
    expect([first?.title, first?.url]).toEqual([title, expect.stringMatching(expected)])
  })

  it('leaves the decision records out, and finds their list', () => {
    const urls = index.parts.map(([, , url]) => url)
    expect([...FILES.keys()].some((path) => path.startsWith('decisions/'))).toBe(true)
    expect(urls.filter((url) => url.startsWith('/docs/decisions/'))).toEqual([])
    expect(urls).toContain('/docs/project/decisions')
  })

  it('finds nothing for a word that no page has', () => {
    expect(search(index, 'zzyzxqwk')).toEqual([])
  })

  it.each([
    ['how do I sign a request', /^\/docs\/signing/],
    ['first payment', /^\/docs\/quick-start/],
    ['verify webhook signature', /^\/docs\/webhooks#verify/],
    ['test acounts', /^\/docs\/staging/],
    ['retry after timeout without paying twice', /^\/docs\/idempotency/],
    ['rate limit', /^\/docs\/limits/],
    ['X-API-Version', /^\/docs\/(versions|catalogue|reference)/],
    ['invalid_signature', /^\/docs\/(errors|signing)/],
    ['void a payment', /^\/docs\/(reference\/voidTransaction|payments)/],
    ['balance statement', /^\/docs\/reference\/getBalanceStatement/],
    ['go live checklist', /^\/docs\/go-live/],
    ['WARUNG_MASTER_KEY', /^\/docs\/operators\/(configuration|production#the-master-key)/],
  ])('answers "%s"', (question, expected) => {
    const [first, second, third] = search(index, question).map(({ url }) => url)
    expect(
      [first, second, third].some((url) => expected.test(url ?? '')),
      `${first} ${second} ${third}`,
    ).toBe(true)
  })
})
