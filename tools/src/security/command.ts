// `npm run sbom` writes the bill of materials of this release, CycloneDX 1.5, to sbom.cdx.json or to the given file. It
// needs no network: everything stands in the lock file.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Lock } from './lock.ts'
import { buildSbom } from './sbom.ts'

const root = new URL('../../../', import.meta.url)
const lock = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')) as Lock
const file = process.argv[2] ?? fileURLToPath(new URL('sbom.cdx.json', root))
const sbom = buildSbom(lock)
writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`)
process.stdout.write(`${file}: ${sbom.components.length} packages\n`)
