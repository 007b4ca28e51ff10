import type { Database, Queryable } from '../../db/database.ts'
import { LONG_STATEMENTS } from '../../db/long-statements.ts'
import { parseDay } from '../../lib/dates.ts'
import { RequestError } from '../../lib/errors.ts'
import type { Reference } from '../payments/core/schedule.rules.ts'
import { referenceOf } from '../payments/core/schedule.rules.ts'
import { listAttemptsOf, listFulfilled, listNamedBy } from '../payments/support/settled.service.ts'
import type { SettledAttempt } from '../payments/support/settled.types.ts'
import { addToSums, compareLine, duplicateOf, missingThere, NO_SUMS } from './compare.rules.ts'
import { closeListed, closeUnseen, saveFound } from './differences.sql.ts'
import type { ListedLine } from './sql.ts'
import {
  awaitComparison,
  beginRun,
  findFile,
  listAffectedFiles,
  listLines,
  listListed,
  listUnnamed,
  lockComparison,
  nameLines,
  saveSums,
  unlockComparison,
} from './sql.ts'
import type { Found, SettlementFile, Sums } from './types.ts'

const PAGE = 2_000

/**
 * Compares a file with our payments. It can be repeated: differences that agree by now are closed, the others are
 * open.
 */
export async function compareSettlement(database: Database, fileId: bigint): Promise<SettlementFile> {
  const file = await findFile(database, fileId)
  if (file === undefined) throw noSuchFile()
  await withFileLock(database, fileId, async (connection) => {
    if ((await findFile(connection, fileId))?.withdrawnAt !== null) throw withdrawn()
    await compareAll(connection, file)
  })
  return (await findFile(database, fileId)) ?? file
}

/**
 * Compares a file again, because a file that affected it was withdrawn. It waits for a comparison that is under way,
 * which may have read the withdrawn file. A file that was itself withdrawn meanwhile is left as it is.
 */
async function compareAffected(database: Database, fileId: bigint): Promise<void> {
  await database.withConnection(async (connection) => {
    await awaitComparison(connection, fileId)
    try {
      const file = await findFile(connection, fileId)
      if (file !== undefined && file.withdrawnAt === null) await compareAll(connection, file)
    } finally {
      await unlockComparison(connection, fileId)
    }
  }, LONG_STATEMENTS)
}

/** Compares the files again whose differences a withdrawn file affected. */
export async function compareTouched(database: Database, fileId: bigint): Promise<void> {
  for (const touched of await listAffectedFiles(database, fileId)) await compareAffected(database, touched)
}

/** Runs the work while nobody else compares or withdraws the file. */
async function withFileLock(
  database: Database,
  fileId: bigint,
  work: (connection: Queryable) => Promise<void>,
): Promise<void> {
  await database.withConnection(async (connection) => {
    if (!(await lockComparison(connection, fileId))) throw beingCompared()
    try {
      await work(connection)
    } finally {
      await unlockComparison(connection, fileId)
    }
  }, LONG_STATEMENTS)
}

async function compareAll(connection: Queryable, file: SettlementFile): Promise<void> {
  const run = await beginRun(connection, file.id)
  await nameByKept(connection, file)
  if (file.referenceOf === 'theirs') await nameByTheirs(connection, file)
  let sums = NO_SUMS
  await eachPage(connection, file, async (lines, ours) => {
    await saveFound(connection, file.id, run, differencesOf(file, lines, ours))
    sums = sumsWith(sums, file, lines, ours)
  })
  if (file.amountOf === 'cost') await saveSums(connection, file.id, sums)
  await findMissingThere(connection, file, run)
  await closeUnseen(connection, file.id, run)
  await closeListed(connection, file.provider)
}

type OurAttempts = (line: ListedLine) => SettledAttempt | undefined

/** Reads the lines of a file with our attempts that they name, page by page. */
export async function eachPage(
  connection: Queryable,
  file: Pick<SettlementFile, 'id' | 'provider'>,
  see: (lines: readonly ListedLine[], ours: OurAttempts) => Promise<void> | void,
): Promise<void> {
  for (let after = 0; ; ) {
    const lines = await listLines(connection, file.id, { afterLine: after, limit: PAGE })
    await see(lines, await readOurs(connection, file.provider, lines))
    if (lines.length < PAGE) break
    after = lines.at(-1)?.line ?? after
  }
}

async function readOurs(
  connection: Queryable,
  provider: string,
  lines: readonly ListedLine[],
): Promise<OurAttempts> {
  const references = lines.flatMap(({ paymentId, attempt }) =>
    paymentId === null || attempt === null ? [] : [{ paymentId, attempt }],
  )
  const ours = new Map<string, SettledAttempt>()
  for (const attempt of await listAttemptsOf(connection, provider, references)) {
    ours.set(nameOf(attempt), attempt)
  }
  return ({ paymentId, attempt }) =>
    paymentId === null || attempt === null ? undefined : ours.get(nameOf({ paymentId, attempt }))
}

/** Returns the differences of one page of lines. */
export async function compareLines(
  connection: Queryable,
  file: SettlementFile,
  lines: readonly ListedLine[],
): Promise<Found[]> {
  return differencesOf(file, lines, await readOurs(connection, file.provider, lines))
}

function differencesOf(file: SettlementFile, lines: readonly ListedLine[], ours: OurAttempts): Found[] {
  return lines.flatMap((line) =>
    line.earlier === null
      ? compareLine(file, line, ours(line))
      : [duplicateOf(file, line, ours(line), line.earlier)],
  )
}

function sumsWith(sums: Sums, file: SettlementFile, lines: readonly ListedLine[], ours: OurAttempts): Sums {
  return lines.reduce((former, line) => {
    const attempt = ours(line)
    const isCounted = line.state === 'succeeded' && line.earlier === null && attempt !== undefined
    return isCounted ? addToSums(former, file, line, attempt) : former
  }, sums)
}

function nameOf({ paymentId, attempt }: Reference): string {
  return referenceOf(paymentId, attempt)
}

/** Matches lines with a reference in the provider's form, or its own id, to the attempts that it had. */
export async function nameByKept(
  connection: Queryable,
  { id, provider, referenceOf }: Pick<SettlementFile, 'id' | 'provider' | 'referenceOf'>,
): Promise<void> {
  for (let after = 0; ; ) {
    const lines = await listUnnamed(connection, id, { afterLine: after, limit: PAGE })
    const words = lines.map(({ reference }) => reference)
    const named = words.length === 0 ? [] : await listNamedBy(connection, provider, referenceOf, words)
    if (named.length > 0) await nameLines(connection, id, named)
    if (lines.length < PAGE) break
    after = lines.at(-1)?.line ?? after
  }
}

/**
 * Days before and after that are searched: a provider dates an order by its own clock, perhaps on a neighbouring day.
 */
const DAYS_AROUND = 1

/** Matches lines with the provider's own reference to the payments that have it as their serial number. */
async function nameByTheirs(connection: Queryable, file: SettlementFile): Promise<void> {
  await eachFulfilled(connection, file, DAYS_AROUND, async (attempts) => {
    const named = attempts.filter(({ serialNumber }) => serialNumber !== '')
    if (named.length === 0) return
    await nameLines(
      connection,
      file.id,
      named.map(({ serialNumber, paymentId, attempt }) => ({ reference: serialNumber, paymentId, attempt })),
    )
  })
}

async function findMissingThere(connection: Queryable, file: SettlementFile, run: number): Promise<void> {
  await eachFulfilled(connection, file, 0, async (attempts) => {
    const listed = new Set((await listListed(connection, file, attempts)).map(nameOf))
    const missing = attempts
      .filter((attempt) => !listed.has(nameOf(attempt)))
      .map((attempt) => missingThere(file, attempt, nameOf(attempt)))
    await saveFound(connection, file.id, run, missing)
  })
}

async function eachFulfilled(
  connection: Queryable,
  { provider, day }: SettlementFile,
  daysAround: number,
  see: (attempts: readonly SettledAttempt[]) => Promise<void>,
): Promise<void> {
  const middle = parseDay(day) ?? 0
  const days = { fromDay: middle - daysAround, toDay: middle + daysAround }
  for (let after: bigint | undefined = 0n; after !== undefined; ) {
    const page: Awaited<ReturnType<typeof listFulfilled>> = await listFulfilled(connection, provider, {
      ...days,
      after,
      limit: PAGE,
    })
    if (page.attempts.length > 0) await see(page.attempts)
    after = page.next
  }
}

export function noSuchFile(): RequestError {
  return new RequestError({
    status: 404,
    code: 'not_found',
    publicText: 'There is no such settlement file.',
  })
}

export function withdrawn(): RequestError {
  return new RequestError({
    status: 409,
    code: 'withdrawn',
    publicText: 'The settlement file was withdrawn.',
  })
}

export function beingCompared(): RequestError {
  return new RequestError({
    status: 409,
    code: 'in_progress',
    publicText: 'Another comparison of this file is running. Nothing was changed; try again later.',
  })
}
