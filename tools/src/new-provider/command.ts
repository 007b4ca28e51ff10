// Makes the folder of a new connector from tools/data/new-provider: npm run new:provider NAME
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('../../..', import.meta.url))
const templates = join(here, 'tools/data/new-provider')

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
const NAME_LENGTH_MAX = 30

const [name = '', root = here, ...more] = process.argv.slice(2)
const problem = problemWith(name, more)
if (problem === undefined) make()
else {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 2
}

function problemWith(text: string, rest: readonly string[]) {
  if (text === '' || rest.length > 0) return 'usage: npm run new:provider NAME'
  if (!NAME.test(text) || text.length > NAME_LENGTH_MAX) {
    return `"${text}" is no name for a connector: small letters, digits and single dashes, at most ${NAME_LENGTH_MAX}`
  }
  if (text === 'sample') return 'call it by the name of the supplier: "sample" is what the template is called'
  const folder = folderOf(text)
  return existsSync(folder) ? `${relative(root, folder)} is there already` : undefined
}

function folderOf(text: string) {
  return join(root, 'packages/server/src/modules/providers', text)
}

function make() {
  const folder = folderOf(name)
  mkdirSync(folder)
  const files = readdirSync(templates)
  for (const file of files) {
    writeFileSync(join(folder, file), named(readFileSync(join(templates, file), 'utf8')))
  }
  // A name with another length or first letter breaks lines and sorts imports differently.
  const biome = join(here, 'node_modules/@biomejs/biome/bin/biome')
  const { status, stderr } = spawnSync(process.execPath, [biome, 'check', '--write', folder], { cwd: root })
  if (status !== 0) throw new Error(`the new folder could not be formatted:\n${stderr}`)
  process.stdout.write(report(folder, files))
}

/** Replaces the templates' names of the supplier, in each spelling, by this one's. */
function named(text: string) {
  return text
    .replaceAll('SAMPLE', name.toUpperCase().replaceAll('-', '_'))
    .replaceAll('Sample', words())
    .replaceAll("'sample'", `'${name}'`)
}

function report(folder: string, files: readonly string[]) {
  const place = relative(root, folder)
  return `${[
    ...files.map((file) => `made ${join(place, file)}`),
    '',
    'Next:',
    `  npx vitest run ${place}   passes now, against a supplier that does not exist`,
    `  kinds.service.ts          list create${words()}Kind, so that an operator can connect it`,
    '  docs/guides/add-a-provider.md says the rest',
  ].join('\n')}\n`
}

function words() {
  return name
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
}
