import { parseJsonBody } from '../../../http/body.ts'
import type { GivenCatalog } from './given.rules.ts'
import { readGivenApply, readGivenCatalog, sourcesOf } from './given.rules.ts'
import type { SourceFile } from './types.ts'

/** Body of a request as it arrived. Parsing megabytes is part of the job, and is done on its thread. */
export type CatalogBody = { readonly contentType: string | undefined; readonly bytes: Uint8Array }

/** Values in 10 MB of the smallest rows. They are read on a thread of their own, so that nothing else waits for it. */
const BODY_VALUES_MAX = 1_000_000

function readBody({ contentType, bytes }: CatalogBody): unknown {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return parseJsonBody(contentType, buffer, BODY_VALUES_MAX) ?? {}
}

type GivenFiles = { readonly files: readonly SourceFile[]; readonly deactivateMissing: boolean }

export function readPreview(body: CatalogBody): GivenFiles {
  return filesOf(readGivenCatalog(readBody(body)))
}

/** Reads the request of an import, which names the version that its preview showed. */
export function readImport(body: CatalogBody) {
  const { expected_version: expectedVersion, reason, ...given } = readGivenApply(readBody(body))
  return { input: { ...filesOf(given), expectedVersion, request: body }, reason }
}

function filesOf(given: GivenCatalog): GivenFiles {
  return { files: sourcesOf(given), deactivateMissing: given.deactivate_missing ?? false }
}
