// Reads package-lock.json: the packages that a release consists of, and who needs whom.

export type LockEntry = {
  name?: string
  version: string
  license?: string
  integrity?: string
  optional?: boolean
  dev?: boolean
  devOptional?: boolean
  hasInstallScript?: boolean
  /** A link leads to a workspace. */
  link?: boolean
  resolved?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}
export type Lock = { lockfileVersion: number; packages: Record<string, LockEntry> }

/** Workspaces that are never installed by anybody: the tests. */
const TESTS = new Set(['packages/acceptance'])

/** Lists the workspaces that ship, the root included (as the empty path). */
export function shippedWorkspaces(lock: Lock): string[] {
  const paths = Object.keys(lock.packages).filter((path) => /^packages\/[^/]+$/.test(path))
  return ['', ...paths.filter((path) => !TESTS.has(path))]
}

/** Lists the names of everything that a package needs to run; the lock says which of them are optional. */
export function needsOf({
  dependencies = {},
  optionalDependencies = {},
}: Pick<LockEntry, 'dependencies' | 'optionalDependencies'>): string[] {
  return Object.keys({ ...dependencies, ...optionalDependencies })
}

/** Finds the package that a name means in a directory, as Node does: in its own node_modules, or in one above. */
export function resolvePackage(lock: Lock, from: string, name: string): string | undefined {
  for (let directory = from; ; directory = parentOf(directory)) {
    const path = `${directory === '' ? '' : `${directory}/`}node_modules/${name}`
    const found = lock.packages[path]
    if (found !== undefined) return found.link === true ? found.resolved : path
    if (directory === '') return undefined
  }
}

function parentOf(directory: string) {
  const at = directory.lastIndexOf('/node_modules/')
  return at < 0 ? '' : directory.slice(0, at)
}

/** Walks from the shipped workspaces over everything they need; returns path → paths. */
export function shippedPackages(lock: Lock): Map<string, string[]> {
  const graph = new Map<string, string[]>()
  const waiting = shippedWorkspaces(lock)
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (graph.has(path)) continue
    const entry = entryOf(lock, path)
    const names = [...needsOf(entry), ...Object.keys(entry.peerDependencies ?? {})]
    const needs = names.flatMap((name) => resolvePackage(lock, path, name) ?? [])
    if (path === '') needs.push(...shippedWorkspaces(lock).slice(1))
    graph.set(path, needs)
    waiting.push(...needs)
  }
  return graph
}

/** Returns what the lock says of the package at a path. */
export function entryOf(lock: Lock, path: string): LockEntry {
  const entry = lock.packages[path]
  if (entry === undefined) throw new Error(`the lock file has nothing at ${path}`)
  return entry
}

/** Returns the name of the package at a path of the lock. */
export function nameOf(lock: Lock, path: string): string {
  return entryOf(lock, path).name ?? path.replace(/^.*node_modules\//, '')
}
