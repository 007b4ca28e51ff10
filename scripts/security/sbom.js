import { nameOf, shippedPackages } from './lock.js'

/**
 * Builds the bill of materials of a release as CycloneDX 1.5, from the lock file alone. It has no time and no random
 * number: the same lock file gives the same text, so that two people can compare theirs.
 */
export function buildSbom(lock) {
  const graph = shippedPackages(lock)
  const paths = [...graph.keys()].filter((path) => path !== '').sort()
  const refs = (list) => [...new Set(list.map((path) => refOf(lock, path)))].sort()
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { ...componentOf(lock, ''), type: 'application' } },
    components: withoutTwins(paths.map((path) => componentOf(lock, path))),
    dependencies: withoutTwins(
      [...graph].map(([path, needs]) => ({ ref: refOf(lock, path), dependsOn: refs(needs) })),
    ),
  }
}

/** Leaves one of several copies of a package that lie at different places of the tree. */
function withoutTwins(list) {
  const byRef = new Map(list.map((each) => [each['bom-ref'] ?? each.ref, each]))
  return [...byRef.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
}

function refOf(lock, path) {
  const name = nameOf(lock, path).replace(/^@/, '%40')
  return `pkg:npm/${name}@${lock.packages[path].version}`
}

function componentOf(lock, path) {
  const { version, license, integrity, optional } = lock.packages[path]
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

function licenceOf(license) {
  return /^[\w.+-]+$/.test(license) ? { license: { id: license } } : { expression: license }
}

/** Turns `sha512-…` of the lock file into the form of CycloneDX. */
function hashOf(integrity) {
  const [algorithm, digest] = integrity.split('-', 2)
  const alg = algorithm.toUpperCase().replace(/^SHA/, 'SHA-')
  return { alg, content: Buffer.from(digest, 'base64').toString('hex') }
}
