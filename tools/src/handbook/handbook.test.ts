import { readFileSync } from 'node:fs'
import { assert, describe, expect, it } from 'vitest'
import { openShell } from './shell.ts'
import { findFault, readBlocks, readSteps } from './steps.ts'

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const HANDBOOK = ['production', 'drills'].map((name) => read(`docs/guides/${name}.md`)).join('\n')

describe('the handbook', () => {
  it('has every block of shell typed by npm run test:handbook, or says above it that it is not', () => {
    const blocks = readBlocks(HANDBOOK)
    expect(blocks.length).toBeGreaterThan(20)
    const silent = blocks.filter(({ isRun, above }) => !isRun && !/not a part of the test/i.test(above))
    expect(silent.map(({ text }) => text)).toEqual([])
  })

  it('types the machine first, and a step under each heading of the way', () => {
    const titles = [...new Set(readSteps(HANDBOOK).map(({ title }) => title))]
    expect(titles.slice(0, 8)).toEqual([
      'The machine',
      'The program: root builds it, a user runs it',
      'The database',
      'Settings and secrets',
      'The service',
      'The proxy and TLS',
      'Backups',
      'Monitoring',
    ])
  })

  it('kills the database after a payment, and restores it to its end and to a moment', () => {
    const typed = readSteps(`${HANDBOOK}\n${read('docs/guides/backups.md')}`).map(({ text }) => text)
    for (const words of [
      ['kill -s KILL postgresql', 'warung-restore-log', 'restore mark', 'ledger verify'],
      ['restore later', '--type=time', 'restore mark'],
      ['pg_createcluster 17 proof', 'ledger verify', 'audit verify'],
    ]) {
      expect(
        typed.some((text) => words.every((word) => text.includes(word))),
        words[0],
      ).toBe(true)
    }
  })

  it('installs only files that deploy has', () => {
    const named = readSteps(HANDBOOK).flatMap(({ text }) => text.match(/deploy\/[\w./-]+/g) ?? [])
    expect(named.length).toBeGreaterThan(6)
    for (const path of named.filter((each) => !each.endsWith('/')))
      expect(read(path).length, path).toBeGreaterThan(0)
  })
})

describe('the shell that types the blocks', () => {
  it('keeps directories and variables, ends at the first command that fails, and tells its status', async () => {
    const shell = openShell(['/bin/bash'])
    const type = (text: string) => shell.type(text, () => {})
    expect(await type('cd /\nword=one\n')).toEqual({ status: 0, output: '\n' })
    expect(await type('pwd; cat <<X\n$word\nX\n')).toEqual({ status: 0, output: '/\none\n\n' })
    expect(await type('sh -c "exit 7"\necho not reached\n')).toEqual({ status: 7, output: '' })
  })

  it('a step whose output lacks the expected word is a fault', () => {
    const [step] = readSteps('## A\n\n```sh run expect=ready|ok\ntrue\n```\n')
    assert(step !== undefined)
    expect(step).toMatchObject({ title: 'A', text: 'true\n', expected: ['ready', 'ok'] })
    expect(findFault(step, { status: 0, output: 'it is ok' })).toBeUndefined()
    expect(findFault(step, { status: 0, output: 'no' })).toContain('none of')
    expect(findFault(step, { status: 2, output: 'ok' })).toContain('ended with 2')
  })
})
