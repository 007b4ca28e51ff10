import type { Lock } from './lock.ts'
import { entryOf, nameOf, shippedPackages } from './lock.ts'

/**
 * Builds the bill of materials of a release as CycloneDX 1.5, from the lock file alone. It has no time and no random
 * number: the same lock file gives the same text, so that two people can compare theirs.
 */
export function buildSbom(lock: Lock) {
  const graph = shippedPackages(lock)
  const paths = [...graph.keys()].filter((path) => path !== '').sort()
  const refs = (list: readonly string[]) => [...new Set(list.map((path) => refOf(lock, path)))].sort()
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { ...componentOf(lock, ''), type: 'application' } },
    components: withoutTwins(
      paths.map((path) => componentOf(lock, path)),
      (each) => each['bom-ref'],
    ),
    dependencies: withoutTwins(
      [...graph].map(([path, needs]) => ({ ref: refOf(lock, path), dependsOn: refs(needs) })),
      (each) => each.ref,
    ),
  }
}

/** Leaves one of several copies of a package that lie at different places of the tree. */
function withoutTwins<T>(list: readonly T[], refOfEach: (each: T) => string): T[] {
  const byRef = new Map(list.map((each) => [refOfEach(each), each]))
  return [...byRef.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
}

function refOf(lock: Lock, path: string) {
  const name = nameOf(lock, path).replace(/^@/, '%40')
  return `pkg:npm/${name}@${entryOf(lock, path).version}`
}

function componentOf(lock: Lock, path: string) {
  const { version, license, integrity, optional } = entryOf(lock, path)
  const ref = refOf(lock, path)
  return {
    'bom-ref': ref,
    type: 'library',
    name: nameOf(lock, path),
    version,
    scope: optional === true ? 'optional' : 'required',
    purl: ref,
    ...(license !== undefined && { licenses: [licenceOf(license)] }),
    ...(integrity !== undefined && { hashes: [hashOf(integrity)] }),
  }
}

function licenceOf(license: string) {
  return /^[\w.+-]+$/.test(license) ? { license: { id: license } } : { expression: license }
}

/** Turns `sha512-…` of the lock file into the form of CycloneDX. */
function hashOf(integrity: string) {
  const [algorithm = '', digest = ''] = integrity.split('-', 2)
  const alg = algorithm.toUpperCase().replace(/^SHA/, 'SHA-')
  return { alg, content: Buffer.from(digest, 'base64').toString('hex') }
}
