import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import type { Assets } from './layout.ts'
import { renderPage } from './layout.ts'
import { resolveLink, rewriteLinks, twinOf, urlOf } from './links.ts'
import { llmsFull, llmsList } from './llms.ts'
import type { Rendered } from './markdown.ts'
import { renderMarkdown } from './markdown.ts'
import { decisionPath, OPTIONAL, WRITTEN } from './navigation.ts'
import { packMakers } from './packs.ts'
import type { Page } from './page.ts'
import type { ApiDocument } from './reference/document.ts'
import { referencePages } from './reference/pages.ts'
import { alertMakers } from './runbooks.ts'
import type { Entry } from './search/build.ts'
import { buildIndex } from './search/build.ts'
import type { GuideTables } from './tables.ts'
import { insertCode, insertTables, tableMakers } from './tables.ts'

export type SiteInput = {
  /** Markdown files of the repository by path, and code that they show. */
  readonly texts: ReadonlyMap<string, string>
  /** Pictures of the repository by path. */
  readonly pictures: ReadonlyMap<string, Uint8Array>
  readonly documents: {
    readonly reseller: ApiDocument
    readonly portal: ApiDocument
    readonly operator: ApiDocument
  }
  readonly tables: GuideTables
  readonly style: string
  readonly script: string
  readonly theme: string
  readonly icon: string
  /** Fonts by the name with which the style asks for them. */
  readonly fonts: ReadonlyMap<string, Uint8Array>
}

/** Files of the site by name; `index.html`, `reference/pay.md`. */
export type SiteFiles = Map<string, string | Uint8Array>

/** Builds the whole site. The same input gives the same files. */
export function buildSite(input: SiteInput): SiteFiles {
  const files: SiteFiles = new Map()
  const pages = listPages(input)
  const findPage = pageFinder(pages)
  const pictures = new Map(
    [...input.pictures].map(([path, bytes]) => [path, addAsset(files, posix.basename(path), bytes)]),
  )
  const rendered = pages.map((page) => {
    const html = withLinks(page, findPage, pictures, urlOf)
    return { page, content: renderMarkdown(html), twin: withLinks(page, findPage, pictures, twinOf) }
  })
  const index = JSON.stringify(buildIndex(rendered.flatMap(({ page, content }) => entriesOf(page, content))))
  const assets = addAssets(files, input, index)
  const frame = { pages, assets, version: input.documents.reseller.info.version }
  for (const { page, content, twin } of rendered) {
    files.set(`${page.path}.html`, renderPage(page, content, frame))
    files.set(`${page.path}.md`, twin)
  }
  files.set('llms.txt', llmsList(pages))
  for (const [name, text] of llmsFull(rendered)) files.set(name, text)
  return files
}

function listPages({ texts, documents, tables }: SiteInput): Page[] {
  const makers = { ...tableMakers(tables), ...alertMakers(texts), ...packMakers(texts) }
  const there = [...WRITTEN, ...OPTIONAL.filter(({ source }) => texts.has(source))]
  const written = there.map(({ path, source, group, heading }): Page => {
    const text = texts.get(source)
    if (text === undefined) throw new Error(`${source} is a page of the site, and is not there`)
    return pageOf(path, source, group, heading, insertTables(insertCode(text, source, texts), makers))
  })
  const decisions = [...texts]
    .flatMap(([source, text]) => {
      const path = decisionPath(source)
      return path === undefined ? [] : [pageOf(path, source, 'more', 'Decisions', text)]
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  const inGroup = (group: string) => written.filter((page) => page.group === group)
  const api = (section: string, title: string, document: ApiDocument, isSigned: boolean) =>
    referencePages({ section, title, document, isSigned }, tables.errors)
  return [
    ...inGroup('start'),
    ...inGroup('guides'),
    ...api('reference', 'API reference', documents.reseller, true),
    ...inGroup('operators'),
    ...api('portal-api', "The portal's API", documents.portal, false),
    ...api('operator-api', "The back office's API", documents.operator, false),
    ...inGroup('more'),
    ...decisions,
  ]
}

function pageOf(path: string, source: string, group: string, heading: string, markdown: string): Page {
  const title = /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '')
  if (title === undefined) throw new Error(`${source} has no title`)
  return { path, source, group, heading, title, markdown, description: descriptionOf(markdown) ?? title }
}

const DESCRIPTION_LENGTH = 180

/** Returns the first paragraph, without marks. */
function descriptionOf(markdown: string): string | undefined {
  const paragraph = markdown
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .find((part) => part !== '' && !/^([#>|<\-*]|```|\d+\.|Status:)/.test(part))
  const plain = paragraph
    ?.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
  if (plain === undefined || plain.length <= DESCRIPTION_LENGTH) return plain
  return `${plain.slice(0, plain.lastIndexOf(' ', DESCRIPTION_LENGTH))} …`
}

function pageFinder(pages: readonly Page[]): (source: string) => string | undefined {
  const bySource = new Map(
    pages.flatMap(({ source, path }) => (source === undefined ? [] : [[source, path]])),
  )
  const documents: Readonly<Record<string, string>> = {
    'docs/openapi.json': 'reference',
    'docs/openapi-portal.json': 'portal-api',
    'docs/openapi-operator.json': 'operator-api',
    'docs/adr': 'project/decisions',
    vectors: 'vectors',
    'README.md': 'index',
  }
  return (source) => {
    const path = source.replace(/\/$/, '')
    return bySource.get(path) ?? documents[path]
  }
}

function withLinks(
  { source, markdown }: Page,
  findPage: (source: string) => string | undefined,
  pictures: ReadonlyMap<string, string>,
  address: (path: string) => string,
): string {
  return rewriteLinks(markdown, (href, isPicture) => {
    if (source === undefined) return siteLink(href, address)
    if (isPicture) return pictures.get(posix.join(posix.dirname(source), href))
    return siteLink(resolveLink(href, source, findPage, address), address)
  })
}

/** Gives links that name pages of the site the wanted form: page or Markdown twin. */
function siteLink(href: string | undefined, address: (path: string) => string): string | undefined {
  const match = /^\/docs(?:\/([^#.]+))?(#.*)?$/.exec(href ?? '')
  if (match === null) return href
  return address(match[1] ?? 'index') + (match[2] ?? '')
}

const GROUP_WEIGHTS: Readonly<Record<string, number>> = {
  start: 1.2,
  guides: 1.2,
  reference: 1,
  operators: 0.6,
  'portal-api': 0.4,
  'operator-api': 0.4,
  more: 0.5,
}

const BRIEF: ReadonlySet<string> = new Set(['portal-api', 'operator-api'])

function entriesOf(page: Page, { sections }: Rendered): Entry[] {
  // Records say how the service came to be as it is. Their list is found, and leads to them.
  if (page.source !== undefined && decisionPath(page.source) !== undefined) return []
  const weight = GROUP_WEIGHTS[page.group] ?? 1
  // The two APIs of the dashboard are found by what their operations do: their fields alone would be half of the index.
  const indexed = BRIEF.has(page.group) ? sections.slice(0, 1) : sections
  return indexed.flatMap(({ heading, text, codes }) => {
    const isTop = heading === undefined || heading.depth === 1
    const url = isTop ? urlOf(page.path) : `${urlOf(page.path)}#${heading.id}`
    const names = isTop && page.method !== undefined ? `${posix.basename(page.path)} ${page.description}` : ''
    const part = { page: page.title, title: isTop ? '' : heading.text, url, text, names, weight }
    // A code is looked up where the guides explain it; the fields of each operation have tables of their own.
    if (page.group !== 'guides') return [part]
    const explained = codes.map(({ code, head, text: row }) => ({
      ...part,
      title: code,
      text: row,
      names: head,
      weight: CODE_WEIGHT,
    }))
    return [part, ...explained]
  })
}

/** Weight of a code in a table that explains it: before the pages that mention it. */
const CODE_WEIGHT = 3

function addAssets(files: SiteFiles, input: SiteInput, index: string): Assets {
  let style = input.style
  let font = ''
  for (const [name, bytes] of input.fonts) {
    const address = addAsset(files, name, bytes)
    style = style.replaceAll(name, posix.basename(address))
    if (font === '') font = address
  }
  return {
    font,
    style: addAsset(files, 'site.css', style),
    script: addAsset(files, 'site.js', input.script),
    theme: addAsset(files, 'theme.js', input.theme),
    icon: addAsset(files, 'icon.svg', input.icon),
    index: addAsset(files, 'search.json', index),
  }
}

const DIGEST_LENGTH = 10

/** Adds a file under a name that has a digest of its contents, so that browsers may keep it for ever. */
function addAsset(files: SiteFiles, name: string, contents: string | Uint8Array): string {
  const digest = createHash('sha256').update(contents).digest('hex').slice(0, DIGEST_LENGTH)
  const type = posix.extname(name)
  const path = `assets/${posix.basename(name, type)}-${digest}${type}`
  files.set(path, contents)
  return `/docs/${path}`
}
