import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

// Files that are mutated, with the tests that have to notice: tools/data/mutation-targets.json. Tests beside a file, named
// after it, are found by themselves; the others are listed, or the name of a group of them. Tests run in the order of the
// list, so the cheap ones come first. `rules` are pure decisions: milliseconds for each mutant. A mutant of `sql` is put
// into a database of its own, and `services` run over one, which costs seconds, so one of several is tried (`oneOf`).
// The hints about wrong signatures are not among them: they help clients in staging, and decide nothing.

const FILE = 'tools/data/mutation-targets.json'
const SOURCE = 'packages/server/src'

export const DOMAINS = ['wallet', 'payments', 'signing', 'pricing', 'approvals', 'cases'] as const
export const LAYERS = ['rules', 'sql', 'services'] as const
export type Domain = (typeof DOMAINS)[number]
export type Layer = (typeof LAYERS)[number]

/** File to mutate: `oneOf` 4 means that every fourth mutant is tried. */
export type Target = { domain: Domain; layer: Layer; path: string; oneOf: number; tests: string[] }

type Row = string[] | { oneOf: number; tests: string[] }
type Table = { groups: Record<string, string[]> } & Record<
  Layer,
  Partial<Record<Domain, Record<string, Row>>>
>

/** Lists the files to mutate. */
export function listTargets(rootDir: string): Target[] {
  const table = JSON.parse(readFileSync(join(rootDir, FILE), 'utf8')) as Table
  return LAYERS.flatMap((layer) =>
    DOMAINS.flatMap((domain) =>
      Object.entries(table[layer][domain] ?? {}).map(([name, row]) => {
        const { oneOf, tests } = Array.isArray(row) ? { oneOf: 1, tests: row } : row
        const path = layer === 'sql' ? `packages/server/functions/${name}.sql` : `${SOURCE}/${name}`
        const listed = tests.flatMap((each) => table.groups[each] ?? [each])
        const all = new Set([...testsBeside(rootDir, path), ...listed.map((each) => `${SOURCE}/${each}`)])
        const lost = [path, ...all].find((each) => !existsSync(join(rootDir, each)))
        if (lost !== undefined) throw new Error(`${lost} is listed in ${FILE}, and is not there`)
        return { domain, layer, path, oneOf, tests: [...all] }
      }),
    ),
  )
}

/** Finds `x.rules.test.ts` and `x.rules.property.test.ts` beside `x.rules.ts`. */
function testsBeside(rootDir: string, path: string) {
  const stem = basename(path, '.ts')
  const own = new RegExp(`^${stem.replaceAll('.', '\\.')}\\.(?:\\w+\\.)?test\\.ts$`)
  return readdirSync(join(rootDir, dirname(path)))
    .filter((name) => own.test(name) && !name.endsWith('.crash.test.ts'))
    .sort((a, b) => a.length - b.length)
    .map((name) => `${dirname(path)}/${name}`)
}
