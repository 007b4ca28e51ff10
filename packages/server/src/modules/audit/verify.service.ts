import type { Tx } from '../../db/database.ts'
import { readSnapshot } from '../../db/snapshots.ts'
import { findAuditKey } from './keys.service.ts'
import type { ChainPosition } from './rules.ts'
import { checkHead, checkRecord, WALK_START } from './rules.ts'
import { findHead, hasRecords, listRecordsAfter } from './sql.ts'
import type { AuditBreak, AuditLog, AuditReport, NotedHead } from './types.ts'

const PAGE = 1_000

/** Reads the log as it is at one moment, in bounded memory, and stops at the first break. */
export function verifyAudit(
  { database, vault }: Pick<AuditLog, 'database' | 'vault'>,
  /** Heads that were noted elsewhere: the rows up to them must still be the same. */
  noted: readonly NotedHead[] = [],
): Promise<AuditReport> {
  return readSnapshot(database, async (tx) => {
    const head = await findHead(tx)
    const report = (walked: ChainPosition, broken: AuditBreak | undefined) => ({
      broken,
      recordCount: walked.sequence,
      head: head && { sequence: head.sequence, hash: head.hash },
    })
    const key = await readKey(tx, vault)
    if (!Buffer.isBuffer(key))
      return report(WALK_START, key === 'unused' ? findUnreachedHead(noted, WALK_START) : key)
    const walk = await checkRecords(tx, key, noted)
    return report(
      walk.last,
      walk.broken ?? checkHead(key, walk.last, head) ?? findUnreachedHead(noted, walk.last),
    )
  })
}

type Walk = { readonly last: ChainPosition; readonly broken: AuditBreak | undefined }

async function checkRecords(tx: Tx, key: Buffer, noted: readonly NotedHead[]): Promise<Walk> {
  let last = WALK_START
  // undefined starts before every number, so that a row numbered 0 or less is also read.
  let after: bigint | undefined
  for (;;) {
    const page = await listRecordsAfter(tx, after, PAGE)
    for (const record of page) {
      const next = checkRecord(key, last, record)
      if ('kind' in next) return { last, broken: next }
      last = next
      const broken = compare(noted, last)
      if (broken !== undefined) return { last, broken }
    }
    if (page.length < PAGE) return { last, broken: undefined }
    after = page.at(-1)?.sequence
  }
}

function compare(noted: readonly NotedHead[], { sequence, hash }: ChainPosition): AuditBreak | undefined {
  const wrong = noted.find((each) => each.sequence === sequence && !each.hash.equals(hash))
  if (wrong === undefined) return undefined
  return { kind: 'noted_head', sequence, expected: wrong.hash.toString('hex'), found: hash.toString('hex') }
}

function findUnreachedHead(noted: readonly NotedHead[], last: ChainPosition): AuditBreak | undefined {
  const missing = noted.find((each) => each.sequence > last.sequence)
  if (missing === undefined) return undefined
  const { sequence } = missing
  return { kind: 'noted_head', sequence, expected: `row ${sequence}`, found: `an end at ${last.sequence}` }
}

async function readKey(tx: Tx, vault: AuditLog['vault']): Promise<Buffer | AuditBreak | 'unused'> {
  const trouble = (found: string): AuditBreak => ({
    kind: 'key',
    sequence: undefined,
    expected: 'the key that the hashes were made with',
    found,
  })
  try {
    const key = await findAuditKey(tx, vault)
    if (key !== undefined) return key
  } catch (error) {
    return trouble(`one that does not open: ${(error as Error).message}`)
  }
  // The log was never used, or everything is gone with the key: only a head noted elsewhere shows the
  // difference.
  return (await hasRecords(tx)) ? trouble('none') : 'unused'
}
