import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

// English is with the pages; each other language is one file, which its readers alone load. A dictionary has English
// and Malay side by side where it is written, so the build compiles its module twice: once without the Malay texts, and
// once, as `?malay`, for the pack of Malay texts, which is `virtual:malay/portal` or `virtual:malay/operator`.

const SOURCE = fileURLToPath(new URL('src', import.meta.url))
const FORMS = fileURLToPath(new URL('../forms/src/texts.ts', import.meta.url))
/** Folders whose texts both entries show. */
const SHARED = ['limits', 'people', 'shell', 'text', 'ui']
const OF_ENTRIES: Readonly<Record<string, readonly string[]>> = {
  portal: [...SHARED, 'portal'],
  operator: [...SHARED, 'console'],
}
const PACK = /^\0?virtual:malay\/(portal|operator)$/
const MALAY = '?malay'
const DECLARES = 'defineMessages('

export function languages(): Plugin {
  return {
    name: 'warung-languages',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (PACK.test(source)) return `\0${source}`
      if (importer?.endsWith(MALAY) !== true) return null
      const found = await this.resolve(source, importer.slice(0, -MALAY.length), { skipSelf: true })
      return found !== null && declaresTexts(found.id) ? `${found.id}${MALAY}` : found
    },
    load(id) {
      const entry = PACK.exec(id)?.[1]
      if (entry !== undefined) return packOf(listDictionaries(entry))
      if (!id.endsWith(MALAY)) return null
      const path = id.slice(0, -MALAY.length)
      return { code: readFileSync(path, 'utf8'), moduleType: path.endsWith('x') ? 'tsx' : 'ts' }
    },
    transform(code, id) {
      if (!declaresTexts(id.replace(MALAY, ''))) return null
      const program = this.parse(code, { lang: 'tsx' }) as unknown as Node
      return { code: id.endsWith(MALAY) ? malayOf(code, program) : englishOf(code, program), map: null }
    },
  }
}

function packOf(paths: readonly string[]): string {
  const imports = paths.map((path, at) => `import { malay as m${at} } from ${JSON.stringify(path + MALAY)}`)
  return [...imports, `export default { ${paths.map((_, at) => `...m${at}`).join(', ')} }`].join('\n')
}

/** Lists the modules that declare texts of an entry. */
export function listDictionaries(entry: string): readonly string[] {
  const files = (OF_ENTRIES[entry] ?? []).flatMap((folder) =>
    readdirSync(join(SOURCE, folder), { recursive: true }).map((name) => join(SOURCE, folder, String(name))),
  )
  return [FORMS, ...files.filter(declaresTexts)]
}

function declaresTexts(path: string): boolean {
  if (!/(packages\/web\/src\/.*|forms\/src\/texts)\.tsx?$/.test(path)) return false
  return !/text\/language\.ts$|\.test\./.test(path) && readFileSync(path, 'utf8').includes(DECLARES)
}

type Node = { readonly type: string; readonly start: number; readonly end: number } & Record<string, unknown>
type Edit = { readonly from: number; readonly to: number; readonly text: string }

/** Takes the Malay texts out of a module, and names its dictionaries. */
export function englishOf(code: string, program: Node): string {
  const edits = listCalls(program).flatMap(({ name, literal, written, call }) => [
    ...without('ms', literal),
    ...(name === '' || written !== undefined
      ? []
      : [{ from: call.end - 1, to: call.end, text: `, '${name}')` }]),
  ])
  return edited(code, edits)
}

/** Leaves only the Malay texts of a module, and collects its dictionaries by name. */
export function malayOf(code: string, program: Node): string {
  const edits = listCalls(program).flatMap(({ name, literal, written, call }) => [
    ...without('en', literal),
    { from: call.start, to: call.start + DECLARES.length, text: 'collect(' },
    ...(name === '' || written !== undefined
      ? []
      : [{ from: call.end - 1, to: call.end, text: `, '${name}')` }]),
  ])
  return `export const malay = {}
function collect(dictionary, name) {
  malay[name] = dictionary.ms
  return dictionary
}
${edited(code, edits)}`
}

export type Call = {
  readonly call: Node
  readonly name: string
  readonly literal: Node
  /** Name that is written in the call. */
  readonly written: string | undefined
}

export function listCalls(node: unknown, constant = ''): readonly Call[] {
  if (Array.isArray(node)) return node.flatMap((each) => listCalls(each, constant))
  if (typeof node !== 'object' || node === null) return []
  const {
    type,
    callee,
    arguments: values,
  } = node as Node & {
    readonly callee?: Node & { readonly name?: string }
    readonly arguments?: readonly Node[]
  }
  if (type === 'CallExpression' && callee?.name === 'defineMessages') {
    const [literal, own] = values ?? []
    if (literal?.type !== 'ObjectExpression')
      throw new Error('defineMessages takes an object as it is written')
    const written = (own as { readonly value?: string } | undefined)?.value
    return [{ call: node as Node, name: constant, literal, written }]
  }
  if (type === 'VariableDeclarator') {
    const { id, init } = node as unknown as {
      readonly id: { readonly name?: string }
      readonly init: unknown
    }
    return listCalls(init, id.name ?? '')
  }
  return Object.values(node).flatMap((each) => listCalls(each, type === 'CallExpression' ? '' : constant))
}

function without(language: string, { properties }: Node): Edit[] {
  const all = properties as readonly (Node & { readonly key?: { readonly name?: string } })[]
  const at = all.findIndex(({ key }) => key?.name === language)
  const [before, found, after] = [all[at - 1], all[at], all[at + 1]]
  if (found === undefined) return []
  const from = after === undefined && before !== undefined ? before.end : found.start
  return [{ from, to: after?.start ?? found.end, text: '' }]
}

function edited(code: string, edits: readonly Edit[]): string {
  let done = code
  for (const { from, to, text } of [...edits].sort((a, b) => b.from - a.from)) {
    done = done.slice(0, from) + text + done.slice(to)
  }
  return done
}
