// Version of a release: every place that names it, and its section of the changelog.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Lock } from '../security/lock.ts'

const VERSION = /^\d+\.\d+\.\d+(-[\w.]+)?$/
/** Places beside package.json and package-lock.json, because their readers have no access to those. */
const PLACES: [path: string, pattern: RegExp][] = [
  ['packages/cli/src/main.ts', /\bVERSION = '([^']+)'/],
  ['packages/cli/src/mcp/server.ts', /\bversion: '([^']+)'/],
  ['clients/python/pyproject.toml', /^version = "([^"]+)"$/m],
  ['clients/python/warung/__init__.py', /^__version__ = "([^"]+)"$/m],
  ['clients/php/composer.json', /"version": "([^"]+)"/],
  ['clients/php/src/Client.php', /\bVERSION = '([^']+)'/],
]

/** Reads the version that a person or a tag names: `0.1.0` or `v0.1.0`. */
export function readVersion(text = ''): string | undefined {
  const version = text.replace(/^v/, '')
  return VERSION.test(version) ? version : undefined
}

/** Lists what stands against a release of this tree; `changes` are those that are not committed. */
export function obstaclesOf(root: string, version: string, changes: readonly string[]): string[] {
  const others = listVersions(root).filter(([, found]) => found !== version)
  return [
    ...others.map(([path, found]) => `${path} names version ${found}, not ${version}`),
    ...(notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version) === undefined
      ? [`CHANGELOG.md has no section "## ${version}", or an empty one`]
      : []),
    ...changes.map((change) => `not committed: ${change}`),
  ]
}

/** Lists every place that names the version, with the version that it names. */
function listVersions(root: string): [path: string, version: string | undefined][] {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const workspaces = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)
  const { packages } = JSON.parse(read('package-lock.json')) as Lock
  const ofManifests = ['', ...workspaces].flatMap((folder): [string, string | undefined][] => {
    const path = join(folder, 'package.json')
    return [
      [path, (JSON.parse(read(path)) as { version?: string }).version],
      [`package-lock.json (${path})`, packages[folder]?.version],
    ]
  })
  return [
    ...ofManifests,
    ...PLACES.map(([path, pattern]): [string, string | undefined] => [path, pattern.exec(read(path))?.[1]]),
  ]
}

/** Cuts the section of a version out of the changelog: `## 0.1.0`, with a date or without, in brackets or without. */
export function notesOf(changelog: string, version: string): string | undefined {
  const [, ...sections] = changelog.split(/^## +/m)
  const heading = new RegExp(`^\\[?v?${version.replaceAll('.', '\\.')}(?![\\w.-])`)
  const section = sections.find((each) => heading.test(each))
  const text = section?.slice(section.indexOf('\n')).trim() ?? ''
  return text === '' ? undefined : `${text}\n`
}
