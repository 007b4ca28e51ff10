import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkStructure } from '../structure/check.ts'

const here = fileURLToPath(new URL('../../..', import.meta.url))
const PROVIDERS = 'packages/server/src/modules/providers'
const COPIED = [
  'packages/server/src',
  'package.json',
  'biome.json',
  'tsconfig.base.json',
  'tsconfig.tests.json',
]

let root: string

/** Copies the part of the tree that a connector uses. */
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'warung-new-provider-'))
  for (const path of [...COPIED, '.gitignore'])
    cpSync(join(here, path), join(root, path), { recursive: true })
  symlinkSync(join(here, 'node_modules'), join(root, 'node_modules'))
  // The tests of a connector need no database.
  writeFileSync(
    join(root, 'vitest.config.js'),
    'export default { test: { include: ["packages/**/*.test.ts"] } }\n',
  )
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

function run(...args: string[]) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_OPTIONS$)/.test(name))
  const env = { ...Object.fromEntries(inherited), NO_COLOR: '1' }
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}

const make = (...args: string[]) => run(join(here, 'tools/dist/new-provider/command.js'), ...args)
const tool = (path: string, ...args: string[]) => run(join(here, 'node_modules', path), ...args)

describe('connectors that were just made', () => {
  // The second name breaks lines that the first one does not.
  const names = ['kilat', 'pay-2-go-malaysia-berhad']
  const folders = names.map((name) => `${PROVIDERS}/${name}`)
  const isTheirs = (path: string) => folders.some((folder) => path.startsWith(`${folder}/`))

  beforeAll(() => {
    for (const name of names) {
      const { status, output } = make(name, root)
      expect({ status, output }).toMatchObject({ status: 0, output: expect.stringContaining('service.ts') })
    }
  })

  it.each(folders)('have a client, a mapping, a configuration, capabilities and tests: %s', (folder) => {
    const files = readdirSync(join(root, folder))
    expect(files).toEqual(
      expect.arrayContaining([
        'client.service.ts',
        'mapping.rules.ts',
        'config.rules.ts',
        'service.ts',
        'types.ts',
        'service.conformance.test.ts',
      ]),
    )
    for (const file of files) expect(readFileSync(join(root, folder, file), 'utf8')).not.toMatch(/sample/i)
  })

  it('compile', () => {
    const config = { extends: './tsconfig.tests.json', include: folders }
    writeFileSync(join(root, 'tsconfig.new.json'), JSON.stringify(config))
    const { output } = tool('typescript/bin/tsc', '-p', 'tsconfig.new.json')
    expect(output.split('\n').filter(isTheirs)).toEqual([])
  })

  it('are formatted and linted', () => {
    expect(tool('@biomejs/biome/bin/biome', 'ci', ...folders)).toMatchObject({ status: 0 })
  })

  it('keep the rules of the repository', () => {
    const { violations } = checkStructure(root, [])
    expect(violations.filter(({ path }) => isTheirs(path))).toEqual([])
  })

  it('pass their tests, the conformance suite among them', () => {
    const { status, output } = tool('vitest/vitest.mjs', 'run', ...folders)
    expect({ status, output }).toMatchObject({
      status: 0,
      output: expect.stringMatching(/Test Files +8 passed/),
    })
  })
})

it.each([
  ['no name', []],
  ['capitals', ['Kilat']],
  ['a path', ['../kilat']],
  ['a dash too many', ['kilat--2']],
  ['a digit first', ['2go']],
  ['too long', ['k'.repeat(31)]],
  ['two names', ['kilat', '.', 'petir']],
])('refuses %s, and makes nothing', (_, args) => {
  const before = readdirSync(join(root, PROVIDERS))
  const given = args.length === 1 ? [...args, root] : args
  expect(make(...given).status).toBe(2)
  expect(readdirSync(join(root, PROVIDERS))).toEqual(before)
})

it('refuses a folder that is there, and leaves it as it is', () => {
  mkdirSync(join(root, PROVIDERS, 'petir'))
  const { status, output } = make('petir', root)
  expect({ status, output }).toMatchObject({ status: 2, output: expect.stringContaining('is there already') })
  expect(readdirSync(join(root, PROVIDERS, 'petir'))).toEqual([])
})
