import { basename } from 'node:path/posix'
import type { Entry, Project, SourceFile, Violation } from './project.ts'
import { isTest, violation } from './project.ts'
import type { Import } from './scan.ts'

// Areas of packages/server/src, and the areas that each one may import. Imports go one way: a lower area never imports
// a higher one.
const LAYERS: Record<string, string[]> = {
  lib: ['lib'],
  db: ['lib', 'db'],
  http: ['lib', 'db', 'http'],
  outbound: ['lib', 'outbound'],
  modules: ['lib', 'db', 'http', 'outbound', 'modules'],
  embedded: ['lib', 'embedded'],
  // Copies of the whole database, below everything that knows its content.
  backup: ['lib', 'embedded', 'backup'],
  config: ['lib', 'config'],
  // Wiring, from the parts that every command needs to the commands themselves.
  version: [],
  logger: ['lib'],
  'master-key-file': ['lib'],
  runtime: ['lib', 'db', 'embedded', 'backup', 'config', 'master-key-file'],
  app: [
    'lib',
    'db',
    'http',
    'outbound',
    'modules',
    'backup',
    'config',
    'version',
    'logger',
    'runtime',
    'app',
  ],
  demo: ['lib', 'db', 'http', 'outbound', 'modules', 'config', 'version', 'logger', 'runtime', 'demo'],
}
LAYERS.cli = [...Object.keys(LAYERS), 'cli']

// Areas that may import the type of the settings. Only the wiring may call the code that makes the settings.
const MAY_KNOW_THE_TYPE_OF_CONFIG = new Set(['db', 'http', 'modules'])

// Packages of the embedded server's supervisor. It starts before anything else works, so it depends on little.
const PACKAGES_OF_EMBEDDED = new Set(['pg'])

// Files that a module shows to the other modules. `public.sql.ts` has the statements that need no service around them.
const DOORS = /^(?:(?:[a-z0-9-]+\.)?(acts|reads|codec|service|directory|types|rules|view)|public\.sql)\.ts$/

// Roles that no other room may import: the wiring above the rooms starts jobs and mounts routes.
const CLOSED_TO_ROOMS = /^(?:[a-z0-9-]+\.)?(jobs|routes)\.ts$/
const ROUTES = /^(?:[a-z0-9-]+\.)?routes\.ts$/

const SERVER_SOURCE = 'packages/server/src/'

/** Rule: imports inside the server follow the layers. Tests may import anything; only they may use testing/. */
export function layers(project: Project): Violation[] {
  const found: Violation[] = []
  for (const file of project.list(/^packages\/server\/src\//)) {
    const from = areaOf(file.path)
    if (isTest(file.path) || from === 'testing') continue
    const allowed = LAYERS[from]
    if (allowed === undefined) {
      found.push(
        violation(file, 0, 'layers', `"${from}" is no known area; add it to LAYERS or move the file`),
      )
      continue
    }
    for (const entry of file.imports) {
      const refusal = refusalOf(from, allowed, entry)
      if (refusal !== undefined) found.push(violation(file, entry.offset, 'layers', refusal))
    }
  }
  return found
}

function refusalOf(from: string, allowed: string[], entry: Entry) {
  if (entry.target === undefined) {
    const builtIn = entry.specifier.startsWith('node:')
    if (from !== 'embedded' || builtIn || PACKAGES_OF_EMBEDDED.has(entry.specifier)) return undefined
    return `embedded may import only lib, node and pg, not ${entry.specifier}`
  }
  if (!entry.target.startsWith(SERVER_SOURCE)) return undefined
  const to = areaOf(entry.target)
  if (allowed.includes(to)) return undefined
  if (to === 'testing') return 'testing/ is for tests alone'
  if (to === 'config' && MAY_KNOW_THE_TYPE_OF_CONFIG.has(from)) {
    return entry.typeOnly
      ? undefined
      : `${from} may import config.ts as a type only; take the value as a parameter`
  }
  return `${from} may not import ${to} (it may import ${allowed.join(', ')})`
}

/** Rule: a module uses another one through its acts, reads, codec, service, directory, types, rules, view and public.sql. */
export function moduleDoors(project: Project): Violation[] {
  const found: Violation[] = []
  for (const { file, entry, from, to } of importsBetweenModules(project)) {
    const name = basename(entry.target)
    if (DOORS.test(name)) continue
    const message = `${from} reaches into ${to}/${name}; use its acts, reads, codec, service, directory, types, rules, view or public.sql`
    found.push(violation(file, entry.offset, 'module-doors', message))
  }
  return found
}

/** Rule: modules never import each other in a circle. */
export function moduleCycles(project: Project): Violation[] {
  const graph: Graph = new Map()
  const edges: Edges = new Map()
  for (const { file, entry, from, to } of importsBetweenModules(project)) {
    graph.set(from, [...(graph.get(from) ?? []), to])
    edges.set(`${from} → ${to}`, { file, offset: entry.offset })
  }
  return cyclesOf(graph, edges, 'module-cycle')
}

/** Rule: rooms of a module never import each other in a circle. The files above the rooms count as a room. */
export function roomCycles(project: Project): Violation[] {
  const graph: Graph = new Map()
  const edges: Edges = new Map()
  for (const { file, entry, from, to } of importsBetweenRooms(project)) {
    graph.set(from, [...(graph.get(from) ?? []), to])
    edges.set(`${from} → ${to}`, { file, offset: entry.offset })
  }
  return cyclesOf(graph, edges, 'room-cycle')
}

/** Rule: a room does not import the jobs and routes of another one. Routes may be made of routes. */
export function roomDoors(project: Project): Violation[] {
  const found: Violation[] = []
  for (const { file, entry, from, to } of importsBetweenRooms(project)) {
    const name = basename(entry.target)
    const isWiring = from === moduleOf(file.path)
    if (isWiring || !CLOSED_TO_ROOMS.test(name)) continue
    if (ROUTES.test(name) && ROUTES.test(basename(file.path))) continue
    const message = `${from} reaches into ${to}/${name}; jobs and routes are for the wiring above the rooms`
    found.push(violation(file, entry.offset, 'room-doors', message))
  }
  return found
}

/** Rule: files never import each other in a circle, not even for types. A circle is one idea in two files. */
export function fileCycles(project: Project): Violation[] {
  const graph: Graph = new Map()
  for (const file of project.list(/\.[jt]sx?$/)) {
    const targets = file.imports.flatMap(({ target }) =>
      target !== undefined && project.files.has(target) ? [target] : [],
    )
    graph.set(file.path, targets)
  }
  return findCycles(graph).flatMap((cycle) => {
    const file = project.files.get(cycle.at(-2) ?? '')
    const entry = file?.imports.find(({ target }) => target === cycle.at(-1))
    if (file === undefined || entry === undefined) return []
    return [violation(file, entry.offset, 'file-cycle', cycle.join(' → '))]
  })
}

/** Rule: packages import each other by name and exports. The acceptance tests use the server by HTTP alone. */
export function packageWalls(project: Project): Violation[] {
  const found: Violation[] = []
  for (const file of project.list(/^packages\/[^/]+\/.*\.[jt]sx?$/)) {
    const own = packageOf(file.path)
    for (const entry of file.imports) {
      const other = entry.target === undefined ? undefined : packageOf(entry.target)
      if (other !== undefined && other !== own) {
        const message = `reaches into packages/${other} by path; import the package by its name`
        found.push(violation(file, entry.offset, 'package-walls', message))
      }
      if (own === 'acceptance' && /^@warung\/server(\/|$)/.test(entry.specifier)) {
        const message = 'acceptance tests are black box: start the server as a process and speak HTTP'
        found.push(violation(file, entry.offset, 'package-walls', message))
      }
    }
  }
  return found
}

type Crossing = { file: SourceFile; entry: Import & { target: string }; from: string; to: string }
type Graph = Map<string, string[]>
type Edges = Map<string, { file: SourceFile; offset: number }>

function cyclesOf(graph: Graph, edges: Edges, rule: string): Violation[] {
  return findCycles(graph).flatMap((cycle) => {
    const edge = edges.get(`${cycle.at(-2)} → ${cycle.at(-1)}`)
    return edge === undefined ? [] : [violation(edge.file, edge.offset, rule, cycle.join(' → '))]
  })
}

function* importsBetweenModules(project: Project): Generator<Crossing> {
  for (const file of project.list(/^packages\/server\/src\/modules\/[^/]+\//)) {
    if (isTest(file.path)) continue
    for (const entry of file.imports) {
      const { target } = entry
      const from = moduleOf(file.path)
      const to = target === undefined ? undefined : moduleOf(target)
      if (target === undefined || from === undefined || to === undefined || to === from) continue
      yield { file, entry: { ...entry, target }, from, to }
    }
  }
}

function* importsBetweenRooms(project: Project): Generator<Crossing> {
  for (const file of project.list(/^packages\/server\/src\/modules\/[^/]+\//)) {
    if (isTest(file.path)) continue
    for (const entry of file.imports) {
      const { target } = entry
      if (target === undefined || moduleOf(target) !== moduleOf(file.path)) continue
      const from = roomOf(file.path)
      const to = roomOf(target)
      if (to !== from) yield { file, entry: { ...entry, target }, from, to }
    }
  }
}

/** Returns the folder of a file below modules/: `payments`, or `payments/take`. */
function roomOf(path: string) {
  return /^packages\/server\/src\/modules\/(.+)\/[^/]+$/.exec(path)?.[1] ?? ''
}

/** Returns the first folder, or the file, below packages/server/src. */
export function areaOf(path: string) {
  return path.slice(SERVER_SOURCE.length).replace(/\/.*/, '').replace(/\.ts$/, '')
}

export function moduleOf(path: string) {
  return /^packages\/server\/src\/modules\/([^/]+)\//.exec(path)?.[1]
}

function packageOf(path: string) {
  return /^packages\/([^/]+)\//.exec(path)?.[1]
}

/**
 * Finds at least one cycle of every strongly connected part of a graph: its nodes, the first one repeated at the end.
 */
function findCycles(graph: Graph) {
  const cycles: string[][] = []
  const done = new Set<string>()
  const path: string[] = []
  const visit = (node: string) => {
    const seenAt = path.indexOf(node)
    if (seenAt !== -1) cycles.push([...path.slice(seenAt), node])
    if (seenAt !== -1 || done.has(node)) return
    path.push(node)
    for (const next of new Set(graph.get(node))) visit(next)
    path.pop()
    done.add(node)
  }
  for (const node of graph.keys()) visit(node)
  return cycles
}
