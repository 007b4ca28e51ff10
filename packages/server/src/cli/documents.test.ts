import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { SETTINGS } from '../config/settings.ts'
import { callsOf, codeBlocks, inlineCode, problemOf, simpleCommands } from '../testing/documented-commands.ts'
import type { Command } from './command.ts'
import { loadAllCommands } from './commands/index.ts'

// Everything that a document tells a reader to type exists. `npm run test:handbook` types it.

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const SHELL = new Set(['sh', 'bash', 'console', 'shell', ''])

const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'ARCHITECTURE.md', ...listPages('docs')]

function listPages(folder: string): string[] {
  const names = readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.md')).map((name) => `${folder}/${name}`)
}

const textOf = (page: string) => readFileSync(`${ROOT}/${page}`, 'utf8')

type Call = { readonly page: string; readonly words: readonly string[] }

function printed(program: string): Call[] {
  return PAGES.flatMap((page) =>
    codeBlocks(textOf(page), SHELL).flatMap((text) =>
      callsOf(program, simpleCommands(text)).map((words) => ({ page, words })),
    ),
  )
}

function mentioned(program: string): Call[] {
  return PAGES.flatMap((page) =>
    inlineCode(textOf(page))
      .filter((code) => code.split(/\s+/).includes(program))
      .flatMap((code) => callsOf(program, simpleCommands(code)).map((words) => ({ page, words }))),
  )
}

describe('the commands of the documents', () => {
  let commands: readonly Command[]
  beforeAll(async () => {
    commands = await loadAllCommands()
  })

  it('warungd: those of blocks exist, with the options that they are given, and miss none that they need', () => {
    const calls = printed('warungd')
    expect(calls.length).toBeGreaterThan(100)
    expect(
      calls.flatMap(({ page, words }) => {
        const problem = problemOf(commands, words, 'whole')
        return problem === undefined ? [] : [`${page}: ${problem}`]
      }),
    ).toEqual([])
  })

  it('warungd: those of sentences exist, with the options that are named', () => {
    const calls = mentioned('warungd')
    expect(calls.length).toBeGreaterThan(50)
    expect(
      calls.flatMap(({ page, words }) => {
        const problem = problemOf(commands, words, 'part')
        return problem === undefined ? [] : [`${page}: ${problem}`]
      }),
    ).toEqual([])
  })

  it('npm run: every script exists', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
    const calls = [...printed('npm'), ...mentioned('npm')].filter(({ words }) => words[0] === 'run')
    expect(calls.length).toBeGreaterThan(30)
    const named = calls.map(({ page, words }) => ({
      page,
      script: words.find((word) => word !== 'run' && !word.startsWith('--')),
    }))
    expect(named.filter(({ script = '' }) => !Object.hasOwn(scripts, script))).toEqual([])
  })

  it('a command, an option or a script that does not exist is noticed', () => {
    const problem = (line: string) => problemOf(commands, line.split(' '), 'whole')
    expect(problem('payment vanish')).toContain('no command')
    expect(problem('payment stuck --limits 3')).toContain('--limits')
    expect(problem('alert clear')).toContain('id missing')
    expect(problem('backup verify')).toBeUndefined()
    const text =
      'A=1 npx warungd \\\n  doctor | tee "x # y" && sudo warungd config   # why\nsystemctl stop warungd'
    expect(callsOf('warungd', simpleCommands(text))).toEqual([['doctor'], ['config']])
  })
})

/** Variables of other programs of this repository: its tests and tools, and the command of integrators. */
const OTHER_VARIABLES =
  /^WARUNG_(TEST_\w+|CITUS_URL|KEEP_RELEASE|RECORD_EXAMPLES|DEV_SERVICE|BASE_URL|API_KEY|SIGNING_SECRET|PROFILE|CONFIG_DIR|PORTAL_USERNAME|PORTAL_PASSWORD)$/

/** Units of Debian's packages that the documents name. */
const OTHER_UNITS = new Set(
  'nginx postgresql postgresql@17-main prometheus prometheus-alertmanager caddy patroni haproxy etcd keepalived systemd-timesyncd'.split(
    ' ',
  ),
)

describe('the names in the documents', () => {
  it('settings: every one exists', () => {
    const unknown = [...PAGES, ...deployFiles()].flatMap((page) =>
      [...textOf(page).matchAll(/\b(WARUNG_[A-Z][A-Z_]*[A-Z])\b(?!_)/g)]
        .map(([, name = '']) => name)
        .filter((name) => !Object.hasOwn(SETTINGS, name) && !OTHER_VARIABLES.test(name))
        .map((name) => `${page}: ${name}`),
    )
    expect(unknown).toEqual([])
  })

  it('files of the checkout: every one that a block names exists', () => {
    const missing = PAGES.flatMap((page) =>
      codeBlocks(textOf(page), SHELL)
        .flatMap((text) => simpleCommands(text).flat())
        .filter((word) => /^(deploy|docs|scripts|bench|vectors)\/[\w./*-]+$/.test(word))
        .filter((word) => !isThere(word))
        .map((word) => `${page}: ${word}`),
    )
    expect(missing).toEqual([])
  })

  it('units: every one is in deploy, or one of a Debian package', () => {
    const folders = ['systemd', 'postgresql'].map((name) => `${ROOT}/deploy/${name}`)
    const ours = new Set(folders.flatMap((folder) => readdirSync(folder)))
    const isKnown = (unit: string) =>
      OTHER_UNITS.has(unit) || [unit, `${unit}.service`].some((name) => ours.has(name))
    const named = PAGES.flatMap((page) =>
      [...codeBlocks(textOf(page), SHELL), ...inlineCode(textOf(page))]
        .flatMap((text) => callsOf('systemctl', simpleCommands(text)))
        .flatMap((words) => unitsOf(words))
        .map((unit) => ({ page, unit })),
    )
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter(({ unit }) => !isKnown(unit))).toEqual([])
  })
})

/** Tells whether a file exists, or one that the stars in its name stand for. */
function isThere(path: string): boolean {
  if (!path.includes('*')) return existsSync(`${ROOT}/${path}`)
  const pattern = new RegExp(`^${basename(path).replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
  return readdirSync(`${ROOT}/${dirname(path)}`).some((name) => pattern.test(name))
}

/** Returns the units of a call of systemctl: the words after the verb that are no options. */
function unitsOf(words: readonly string[]): string[] {
  const [, ...units] = words.filter((word) => !word.startsWith('-') && !/^[A-Z0-9]+$/.test(word))
  return units
}

function deployFiles(): string[] {
  const names = readdirSync(`${ROOT}/deploy`, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => /\.(service|example|yaml|yml|conf)$|file$/i.test(name))
    .map((name) => `deploy/${name}`)
}
