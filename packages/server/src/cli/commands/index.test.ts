import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import type { Command } from '../command.ts'
import { loadAllCommands, loadCommands } from './index.ts'

/** Lists every command that a file of this folder exports, alone or in a list. */
async function exportedCommands(): Promise<Command[]> {
  const names = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  const files = names.filter(
    (name) => /[\\/]/.test(name) && name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const modules = await Promise.all(
    files.map((name) => import(pathToFileURL(join(import.meta.dirname, name)).href)),
  )
  return modules.flatMap((each) => Object.values(each).flat()).filter(isCommand)
}

function isCommand(value: unknown): value is Command {
  return typeof value === 'object' && value !== null && 'summary' in value && 'run' in value
}

it('every command of this folder is found by its first word', async () => {
  const exported = await exportedCommands()
  expect(exported.length).toBeGreaterThan(50)
  const lost: string[] = []
  for (const command of exported) {
    const found = await loadCommands(command.name.split(' ')[0] ?? '')
    if (!found.includes(command)) lost.push(command.name)
  }
  expect(lost).toEqual([])
})

it('no two commands have one name', async () => {
  const names = (await loadAllCommands()).map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})
