import type { Project, Violation } from './project.ts'
import { violation } from './project.ts'

const DEPENDENCY_GROUPS = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'overrides',
]
type Versions = { [name: string]: string | Versions }
type Lock = { packages?: Record<string, { optionalDependencies?: Record<string, string> }> }

/** Version, or another package's under this name. */
const EXACT_VERSION = /^(npm:(@[\w-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(-[\w.-]+)?$/

/** Rule: every dependency is pinned exactly, so that no untested version is installed. */
export function pinnedDependencies(project: Project): Violation[] {
  const found: Violation[] = []
  for (const file of project.list(/(^|\/)package\.json$/)) {
    const manifest = JSON.parse(file.text) as Record<string, Versions | undefined>
    for (const group of DEPENDENCY_GROUPS) {
      for (const [name, version] of listVersions(manifest[group] ?? {})) {
        if (EXACT_VERSION.test(version)) continue
        const message = `${group}: ${name} "${version}" is not an exact version`
        found.push(violation(file, file.text.indexOf(`"${name}": "${version}"`), 'pinned', message))
      }
    }
  }
  return found
}

// Overrides nest: { "a": { "b": "1.0.0" } }.
function listVersions(group: Versions): [name: string, version: string][] {
  return Object.entries(group).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : listVersions(value),
  )
}

/** Rule: the lock file has versions and checksums, never a registry. Each user installs from their own registry. */
export function lockWithoutRegistry(project: Project): Violation[] {
  const lock = project.files.get('package-lock.json')
  if (lock === undefined) return []
  return [...lock.text.matchAll(/"resolved": "https?:[^"]*"/g)].map((match) =>
    violation(
      lock,
      match.index,
      'lock-file',
      `${match[0]}: leave registry addresses out (omit-lockfile-registry-resolved)`,
    ),
  )
}

const COMMON_PLATFORM = /(linux|darwin|win32)-(x64|arm64)(-gnu|-msvc)?$/

/**
 * Rule: the lock file has the packages of all platforms. npm leaves other platforms' packages out of a lock file that
 * it writes beside an existing node_modules, and the next machine then installs no binary. Write it again without
 * node_modules.
 */
export function lockForAllPlatforms(project: Project): Violation[] {
  const lock = project.files.get('package-lock.json')
  if (lock === undefined) return []
  const { packages = {} } = JSON.parse(lock.text) as Lock
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => COMMON_PLATFORM.test(name) && packages[`node_modules/${name}`] === undefined)
      .map((name) =>
        violation(lock, lock.text.indexOf(`"${path}"`), 'lock-platforms', `${path} lacks ${name}`),
      ),
  )
}
