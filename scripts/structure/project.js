import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { importsOf, scan } from './scan.js'

// Files and folders that are not read. In a linked worktree `.git` is a file.
const SKIPPED = new Set(['node_modules', 'dist', 'coverage', '.git', '.warung'])
const TEXT_FILE =
  /\.(ts|tsx|js|jsx|mjs|cjs|json|md|sql|css|html|svg|sh|toml|ya?ml|py|php)$|^\.ci\/|^LICENSE$|^\.[\w.]+$/
const SCRIPT_FILE = /\.(ts|tsx|js|jsx|mjs|cjs)$/

/**
 * Reads the checkout once. Rules look at this and at nothing else.
 *
 * A file has `path` (from the root, with `/`), `text`, `lineOf(offset)`; a script also `code`, `strings`, `comments`,
 * `regexes` (see scan.js) and `imports`, each with `target`: the path of the imported file, or undefined for a package.
 */
export function readProject(rootDir) {
  const files = new Map()
  for (const path of listFiles(rootDir)) files.set(path, readSource(rootDir, path))
  return { files, list: (pattern) => [...files.values()].filter((file) => pattern.test(file.path)) }
}

function* listFiles(rootDir, folder = '') {
  const entries = readdirSync(join(rootDir, folder), { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = posix.join(folder, entry.name)
    // `npm run release` writes copies into release/.
    if (SKIPPED.has(entry.name) || path === 'release') continue
    if (entry.isDirectory()) yield* listFiles(rootDir, path)
    else if (entry.isFile() && TEXT_FILE.test(path)) yield path
  }
}

function readSource(rootDir, path) {
  const text = readFileSync(join(rootDir, path), 'utf8')
  const file = { path, text, lineOf: lineFinder(text) }
  if (!SCRIPT_FILE.test(path)) return file
  const scanned = scan(text)
  const imports = importsOf(scanned).map((entry) => ({ ...entry, target: targetOf(path, entry.specifier) }))
  return { ...file, ...scanned, imports }
}

function targetOf(path, specifier) {
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined
}

function lineFinder(text) {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length
    while (low + 1 < high) {
      const middle = (low + high) >> 1
      if (starts[middle] <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}

/** Makes a violation at an offset of a file. */
export function violation(file, offset, rule, message) {
  return { path: file.path, line: file.lineOf(offset), rule, message }
}

export const isTest = (path) => /\.test\.[jt]sx?$/.test(path)
