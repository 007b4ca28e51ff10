// Checks the repository's own rules; CONTRIBUTING.md says why each one exists.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Exception } from './check.ts'
import { checkStructure, EXCEPTIONS_FILE } from './check.ts'

const here = fileURLToPath(new URL('../../..', import.meta.url))
const [rootDir = here] = process.argv.slice(2)
// The exceptions belong to this tree; another tree, such as a test's, has none.
const exceptions =
  rootDir === here ? (JSON.parse(readFileSync(join(here, EXCEPTIONS_FILE), 'utf8')) as Exception[]) : []
const { violations, counts } = checkStructure(rootDir, exceptions)

for (const { path, line, rule, message } of violations) {
  process.stderr.write(`${path}:${line}  ${rule}  ${message}\n`)
}
if (violations.length > 0) {
  process.stderr.write(`structure: ${violations.length} violations\n`)
  process.exitCode = 1
} else {
  const { rules, files, tables } = counts
  process.stdout.write(`structure ok: ${rules} rules, ${files} files, ${tables} tables\n`)
}
