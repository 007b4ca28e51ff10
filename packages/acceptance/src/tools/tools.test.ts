import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeDirectory, stopServices } from '../service.ts'
import type { Tool } from './tools.ts'
import { findTools, noticeOf, TOOLS } from './tools.ts'

const LATHE: Tool = {
  name: 'lathe',
  command: 'lathe',
  versionArgs: ['--version'],
  atLeast: [2, 10],
  needed: 'the tests of turned parts',
  install: 'apt-get install -y lathe',
}

afterAll(stopServices)

/** Makes a folder with a program that prints a version; returns the folder. */
async function install(version: string, below = ''): Promise<string> {
  const folder = await makeDirectory()
  const file = join(folder, below, 'lathe')
  await mkdir(join(folder, below), { recursive: true })
  await writeFile(file, `#!/bin/sh\necho '${version}' >&2\n`)
  await chmod(file, 0o755)
  return folder
}

describe('a tool', () => {
  it.each([
    ['lathe 2.10.1', true],
    ['lathe 3', true],
    ['v10.0', true],
    ['lathe 2.9.6', false],
    ['lathe 1.99', false],
    ['no version', false],
  ])('counts as installed by its version, "%s": %s', async (version, isFound) => {
    const folder = await install(version)
    const found = await findTools([LATHE], { PATH: folder })
    expect(found).toEqual(isFound ? { lathe: join(folder, 'lathe') } : {})
  })

  it('is found in the folder of an npm project that WARUNG_TEST_TOOLS names, before PATH', async () => {
    const [given, usual] = [await install('2.10', 'node_modules/.bin'), await install('2.10')]
    const found = await findTools([LATHE], { PATH: usual, WARUNG_TEST_TOOLS: given })
    expect(found).toEqual({ lathe: join(given, 'node_modules/.bin/lathe') })
  })

  it('is looked for at the next place when one is too old', async () => {
    const [old, current] = [await install('1.0'), await install('2.10')]
    const found = await findTools([LATHE], { PATH: `${old}:${current}` })
    expect(found).toEqual({ lathe: join(current, 'lathe') })
  })
})

it('every tool is missing where no folder has it', async () => {
  expect(await findTools(TOOLS, { PATH: await makeDirectory() })).toEqual({})
})

describe('the notice', () => {
  it('names every missing tool, the tests that do not run, and the command that installs it', () => {
    const notice = noticeOf(TOOLS)
    for (const { command, needed, install: line } of TOOLS) {
      for (const text of [command, needed, line]) expect(notice).toContain(text)
    }
    expect(notice).toContain('do NOT run')
    const widths = notice
      .trim()
      .split('\n')
      .map((line) => line.length)
    expect(new Set(widths).size).toBe(1)
  })

  it('is not there when nothing is missing', () => {
    expect(noticeOf([])).toBe('')
  })
})
