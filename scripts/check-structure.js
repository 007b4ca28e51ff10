#!/usr/bin/env node
// Checks the repository's own rules; CONTRIBUTING.md says why each one exists.
import { fileURLToPath } from 'node:url'
import { EXCEPTIONS } from './structure/exceptions.js'
import { checkStructure } from './structure/index.js'

const here = fileURLToPath(new URL('..', import.meta.url))
const [rootDir = here] = process.argv.slice(2)
// The exceptions belong to this tree; another tree, such as a test's, has none.
const { violations, counts } = checkStructure(rootDir, rootDir === here ? EXCEPTIONS : [])

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
