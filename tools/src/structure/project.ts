import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { Import, Scanned } from './scan.ts'
import { importsOf, scan } from './scan.ts'

// Files and folders that are not read. In a linked worktree `.git` is a file.
const SKIPPED = new Set(['node_modules', 'dist', 'coverage', '.git', '.warung'])
const TEXT_FILE =
  /\.(ts|tsx|js|jsx|mjs|cjs|json|md|sql|css|html|svg|sh|toml|ya?ml|py|php)$|^\.ci\/|^LICENSE$|^\.[\w.]+$/
const SCRIPT_FILE = /\.(ts|tsx|js|jsx|mjs|cjs)$/

/** Import of a file; `target` is the path of the imported file, or undefined for a package. */
export type Entry = Import & { target: string | undefined }

/** File by its path from the root, with `/`. A file that is no script has no code, strings, comments and imports. */
export type SourceFile = Scanned & {
  path: string
  text: string
  lineOf(offset: number): number
  imports: Entry[]
}

export type Project = { files: Map<string, SourceFile>; list(pattern: RegExp): SourceFile[] }

export type Violation = { path: string; line: number; rule: string; message: string }

const NO_SCRIPT: Scanned = { code: '', strings: [], comments: [], regexes: [] }

/** Reads the checkout once. Rules look at this and at nothing else. */
export function readProject(rootDir: string): Project {
  const files = new Map<string, SourceFile>()
  for (const path of listFiles(rootDir)) files.set(path, readSource(rootDir, path))
  return { files, list: (pattern: RegExp) => [...files.values()].filter((file) => pattern.test(file.path)) }
}

function* listFiles(rootDir: string, folder = ''): Generator<string> {
  const entries = readdirSync(join(rootDir, folder), { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = posix.join(folder, entry.name)
    // `npm run release` writes copies into release/.
    if (SKIPPED.has(entry.name) || path === 'release') continue
    if (entry.isDirectory()) yield* listFiles(rootDir, path)
    else if (entry.isFile() && TEXT_FILE.test(path)) yield path
  }
}

function readSource(rootDir: string, path: string): SourceFile {
  const text = readFileSync(join(rootDir, path), 'utf8')
  const file = { path, text, lineOf: lineFinder(text) }
  if (!SCRIPT_FILE.test(path)) return { ...file, ...NO_SCRIPT, imports: [] }
  const scanned = scan(text)
  const imports = importsOf(scanned).map((entry) => ({ ...entry, target: targetOf(path, entry.specifier) }))
  return { ...file, ...scanned, imports }
}

function targetOf(path: string, specifier: string) {
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined
}

function lineFinder(text: string) {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset: number) => {
    let low = 0
    let high = starts.length
    while (low + 1 < high) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}

/** Makes a violation at an offset of a file. */
export function violation(file: SourceFile, offset: number, rule: string, message: string): Violation {
  return { path: file.path, line: file.lineOf(offset), rule, message }
}

export const isTest = (path: string) => /\.test\.[jt]sx?$/.test(path)
