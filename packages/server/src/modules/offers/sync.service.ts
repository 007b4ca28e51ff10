import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Database, Queryable, Tx } from '../../db/database.ts'
import type { LeaseClock } from '../../db/lease-clock.ts'
import { claimLeased } from '../../db/leases.ts'
import { assert, RequestError } from '../../lib/errors.ts'
import type { Alerts } from '../alerts/core/service.ts'
import { lockProviders } from '../providers/acts.ts'
import { getConnection } from '../providers/connections/connections.service.ts'
import type { CataloguePage, Provider } from '../providers/port/types.ts'
import { placesOf } from './places.rules.ts'
import { differencesOf, followedByHand, planProposals } from './rules.ts'
import type { ClaimedPage, OfferWrite, PageCounts } from './sql.ts'
import {
  claimPages,
  decideProposals,
  deleteOffers,
  finishSync,
  holdPage,
  insertSync,
  listLatest,
  listOffers,
  listSyncRows,
  listUnseen,
  nextPage,
  postponePage,
  releasePage,
  sweepOffers,
  takeDueSchedules,
  touchOffers,
  writeOffers,
  writeProposals,
} from './sql.ts'
import { canonicalJson, storedOffer } from './stored.rules.ts'
import type { Difference, Offer, Place, Sync } from './types.ts'

// Reading of suppliers' lists. A page is read outside any transaction, and committed with the cursor of the next one, so
// that any node goes on where another stopped.

export type SyncSettings = {
  readonly database: Database
  readonly leaseClock: LeaseClock
  readonly alerts: Pick<Alerts, 'raise' | 'clear'>
  /** Finds the provider of a code, even when it takes no orders. */
  readonly providerOf: (code: string) => Promise<Provider | undefined> | Provider | undefined
  /** Gives the pages that are being read back to other nodes. */
  readonly stop?: AbortSignal
}

/** Pages of different lists that one call reads. */
const AT_ONCE = 4
/** Time of a page with its commit; afterwards another node reads it. */
const LEASE_MS = 180_000
const PAGE_MS = 90_000
const CHUNK = 500
/** Entries of a list; a longer one is a mistake. */
const OFFERS_MAX = 200_000
const PAGES_MAX = 20_000
const CURSOR_LENGTH_MAX = 2_000
const FAILURES_MAX = 30
const RUN_MS_MAX = 24 * 3_600_000
const WAIT_MS_MAX = 3_600_000
const RETRY_MS_MIN = 1_000
const TROUBLE_LENGTH_MAX = 300
const KEPT_DAYS = 90

/** Starts to read a supplier's list; the reading that runs already where there is one. */
export async function startSync(
  database: Queryable,
  provider: string,
  startedBy: string,
): Promise<{ readonly sync: Sync; readonly isNew: boolean }> {
  const sync = await insertSync(database, provider, startedBy)
  if (sync !== undefined) return { sync, isNew: true }
  const [running] = await listSyncRows(database, provider, 1)
  assert(running !== undefined, 'a provider that is not read anew is being read')
  return { sync: running, isNew: false }
}

/** Refuses a provider whose connection has no list. */
export function requireCatalogue(provider: Provider | undefined, code: string): void {
  if (provider?.catalogue !== undefined) return
  throw new RequestError({
    status: 409,
    code: 'no_catalogue',
    publicText: `The connection of ${code} does not say how its list of offers is read.`,
  })
}

/** Starts the readings whose time has come. */
export async function startDueSyncs(database: Database): Promise<void> {
  for (const provider of await takeDueSchedules(database)) await startSync(database, provider, 'schedule')
}

/** Reads the pages that are due; returns their number. */
export async function readDuePages(settings: SyncSettings, atOnce = AT_ONCE): Promise<number> {
  const { database, leaseClock } = settings
  const { work } = await claimLeased({ leaseMs: LEASE_MS, leaseClock }, atOnce, (terms) =>
    claimPages(database, terms),
  )
  await Promise.all(work.map((claimed) => readPage(settings, claimed)))
  return work.length
}

async function readPage(settings: SyncSettings, claimed: ClaimedPage): Promise<void> {
  const page = await askFor(settings, claimed)
  if (settings.stop?.aborted === true) return releasePage(settings.database, claimed)
  if (page.kind === 'unavailable') return putOff(settings, claimed, page)
  const mistake = mistakeIn(page, claimed)
  if (mistake !== undefined) return giveUp(settings, claimed, mistake)
  const ended = await settings.database.transaction((tx) => takePage(tx, claimed, page))
  if (ended !== undefined) await tellEnd(settings, claimed.provider, ended.trouble)
}

async function askFor({ providerOf, stop }: SyncSettings, claimed: ClaimedPage): Promise<CataloguePage> {
  const timeout = AbortSignal.timeout(PAGE_MS)
  const signal = stop === undefined ? timeout : AbortSignal.any([timeout, stop])
  try {
    const catalogue = (await providerOf(claimed.provider))?.catalogue
    if (catalogue === undefined) return unavailable('its connection does not say how the list is read')
    const gaveUp = new Promise<CataloguePage>((resolve) => {
      const giveUp = () => resolve(unavailable(`no page within ${PAGE_MS / 1_000} s`))
      // The node may have been told to stop while the page was claimed.
      if (signal.aborted) giveUp()
      signal.addEventListener('abort', giveUp)
    })
    return await Promise.race([catalogue.readPage(claimed.cursor, signal), gaveUp])
  } catch (error) {
    return unavailable(error instanceof Error ? error.message : String(error))
  }
}

function unavailable(reason: string): CataloguePage {
  return { kind: 'unavailable', reason, retryAfterMs: 30_000 }
}

async function putOff(
  settings: SyncSettings,
  claimed: ClaimedPage,
  { reason, retryAfterMs }: Extract<CataloguePage, { kind: 'unavailable' }>,
): Promise<void> {
  const trouble = `page ${claimed.pages + 1}: ${reason}`.slice(0, TROUBLE_LENGTH_MAX)
  if (claimed.failures + 1 >= FAILURES_MAX || claimed.ageMs > RUN_MS_MAX) {
    return giveUp(settings, claimed, trouble)
  }
  const afterMs = Math.min(Math.max(retryAfterMs, RETRY_MS_MIN), WAIT_MS_MAX)
  await postponePage(settings.database, claimed, afterMs, trouble)
}

function mistakeIn(
  { offers, next }: Extract<CataloguePage, { kind: 'page' }>,
  { cursor, pages, offers: before }: ClaimedPage,
): string | undefined {
  if (before + offers.length > OFFERS_MAX) return `the list is longer than ${OFFERS_MAX} entries`
  if (pages >= PAGES_MAX) return `the list is longer than ${PAGES_MAX} pages`
  if (next !== null && next.length > CURSOR_LENGTH_MAX) return 'the place of the next page is too long'
  return next !== null && next === cursor ? 'the list leads from a page to the same page' : undefined
}

/** Ends a reading before the end of the list: nothing is marked as gone. */
async function giveUp(settings: SyncSettings, claimed: ClaimedPage, trouble: string): Promise<void> {
  const isHeld = await settings.database.transaction(async (tx) => {
    if (!(await holdPage(tx, claimed))) return false
    await finishSync(tx, claimed.id, 'failed', { trouble, proposals: 0 })
    return true
  })
  if (isHeld) await tellEnd(settings, claimed.provider, trouble)
}

async function tellEnd(
  { alerts }: Pick<SyncSettings, 'alerts'>,
  provider: string,
  trouble: string | null,
): Promise<void> {
  if (trouble === null) await alerts.clear('supplier_list', provider)
  else await alerts.raise({ kind: 'supplier_list', subject: provider, text: `${provider}: ${trouble}` })
}

// ── A page ──

type Reading = {
  readonly tx: Tx
  readonly claimed: ClaimedPage
  readonly places: ReadonlyMap<string, readonly Place[]>
}

type Ended = { readonly trouble: string | null }

/** Takes a page; returns how the list ended, if this was the last one and this node still had it. */
async function takePage(
  tx: Tx,
  claimed: ClaimedPage,
  { offers: listed, unread, next, waitMs }: Extract<CataloguePage, { kind: 'page' }>,
): Promise<Ended | undefined> {
  const { provider, id } = claimed
  // Acceptances change products and what is followed; each of them sees a whole page or nothing of it.
  await lockProviders(tx)
  if (!(await holdPage(tx, claimed))) return undefined
  const { config } = await getConnection(tx, provider)
  const reading = { tx, claimed, places: placesOf(config) }
  const stored = listed.map(storedOffer)
  const offers = [...new Map(stored.flatMap((each) => (each ? [[each.code, each] as const] : []))).values()]
  let proposals = 0
  for (let at = 0; at < offers.length; at += CHUNK) {
    proposals += await takeOffers(reading, offers.slice(at, at + CHUNK))
    await setImmediate()
  }
  const named = await touchOffers(tx, provider, id, [...unread])
  const badCount = stored.length - stored.filter((each) => each !== undefined).length
  const counts: PageCounts = {
    offers: offers.length,
    unread: unread.length + badCount,
    unnamed: unread.length - named.length + badCount,
    proposals,
  }
  await nextPage(tx, claimed, next, Math.min(Math.max(waitMs, 0), WAIT_MS_MAX), counts)
  return next === null ? finish(reading, counts) : undefined
}

/** Compares offers with what was known; returns the number of new proposals. */
async function takeOffers({ tx, claimed, places }: Reading, offers: readonly Offer[]): Promise<number> {
  const { provider, id } = claimed
  const codes = offers.map(({ code }) => code)
  const present = new Map((await listOffers(tx, provider, codes)).map((row) => [row.code, row]))
  const changed: (OfferWrite & { readonly seen: Offer })[] = []
  const same: string[] = []
  for (const offer of offers) {
    const row = present.get(offer.code)
    // A code that the list names twice is taken as it stood first.
    if (row?.sync_id === id) continue
    const digest = createHash('sha256').update(canonicalJson(offer)).digest('base64url')
    const bought = places.get(offer.code)
    const known = bought === undefined ? null : (row?.known ?? followedByHand(offer, bought))
    const isSame = row?.digest === digest && (row.known === null) === (known === null)
    if (isSame) same.push(offer.code)
    else changed.push({ code: offer.code, seen: offer, digest, known })
  }
  await touchOffers(tx, provider, id, same)
  await writeOffers(tx, provider, id, changed)
  return propose(tx, provider, changed)
}

async function propose(
  tx: Tx,
  provider: string,
  offers: readonly Pick<OfferWrite, 'code' | 'seen' | 'known'>[],
): Promise<number> {
  if (offers.length === 0) return 0
  const codes = offers.map(({ code }) => code)
  const latest = await listLatest(tx, provider, codes)
  const latestOf = byCode(latest)
  const superseded: bigint[] = []
  const made: (Difference & { readonly code: string })[] = []
  for (const { code, seen, known } of offers) {
    const plan = planProposals(differencesOf(known, seen), latestOf.get(code) ?? [])
    superseded.push(...plan.superseded)
    made.push(...plan.made.map((each) => ({ ...each, code })))
  }
  await decideProposals(tx, superseded, 'superseded', 'sync')
  await writeProposals(tx, provider, made)
  return made.length
}

function byCode<Row extends { readonly code: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const found = new Map<string, Row[]>()
  for (const row of rows) found.set(row.code, [...(found.get(row.code) ?? []), row])
  return found
}

// ── The end of a list ──

async function finish(reading: Reading, counts: PageCounts): Promise<Ended> {
  const { tx, claimed } = reading
  const unnamed = claimed.unnamed + counts.unnamed
  const trouble =
    claimed.offers + counts.offers === 0
      ? 'the list was empty, so nothing was marked as gone'
      : unnamed > 0
        ? `${unnamed} entries could not be read, so nothing was marked as gone`
        : null
  const proposals = trouble === null ? await proposeGone(reading) : 0
  await finishSync(tx, claimed.id, 'complete', { trouble, proposals })
  await sweepOffers(tx, claimed.provider, KEPT_DAYS)
  return { trouble }
}

async function proposeGone({ tx, claimed, places }: Reading): Promise<number> {
  const { provider, id } = claimed
  let proposals = 0
  for (;;) {
    const unseen = await listUnseen(tx, provider, id, CHUNK)
    if (unseen.length === 0) return proposals
    const gone = unseen.map(({ code, known }) => ({
      code,
      seen: null,
      digest: null,
      known: places.has(code) ? known : null,
    }))
    await writeOffers(tx, provider, id, gone)
    proposals += await propose(tx, provider, gone)
    const forgotten = gone.filter(({ known }) => known === null)
    await deleteOffers(
      tx,
      provider,
      forgotten.map(({ code }) => code),
    )
    await setImmediate()
  }
}
