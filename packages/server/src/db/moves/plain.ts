import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Queryable } from '../database.ts'
import { run } from '../database.ts'
import { migrate, pendingMigrations } from '../migrate.ts'
import { beginCopy, dropSlot, dropSubscription, namesOf, untilCopied } from './copy.ts'
import type { Gate } from './locks.ts'
import { findGate, lockMove, runPatiently } from './locks.ts'
import type { PlaceRow } from './place.ts'
import { findPlace, UnservedError } from './place.ts'
import type { Comparison, Moment } from './proof.ts'
import { areOfOneVersion, compareTables, openMoment } from './proof.ts'
import { findLastMove, noteStep } from './steps.ts'
import type { CarriedTable } from './tables.ts'
import { carrySequences, listCarried } from './tables.ts'
import type { MoveEnds, MoveReport, Mover } from './types.ts'

/** Moves a group by logical replication, between two databases of PostgreSQL. */
export const plainMover: Mover = {
  fits: async () => true,
  async move(ends) {
    const control = await openControl(ends)
    try {
      const { source, place, target } = await examine(ends, control)
      if (target?.identity === place.identity) return await finishListed(ends, source)
      if (place.state === 'moved') return await finish(ends, source, place, {})
      return await moveServing(ends, { control, source, place })
    } finally {
      await control.end().catch(() => {})
    }
  },
  async abort(ends) {
    const control = await openControl(ends)
    try {
      const { source, place, target } = await examine(ends, control)
      if (place.state === 'moved' || target?.identity === place.identity) {
        throw new Error(
          'the group is moved, which cannot be undone: move it back, or repeat the command to finish it',
        )
      }
      await undo(ends, { control, source, place })
    } finally {
      await control.end().catch(() => {})
    }
  },
}

/** Session that holds the locks of the move. Its end, however it comes, lets the writers of the older place go on. */
async function openControl(ends: MoveEnds): Promise<pg.Client> {
  const control = await ends.source.dedicatedConnection()
  await run(control, 'set statement_timeout = 0')
  return control
}

type Begun = { readonly control: pg.Client; readonly source: Queryable; readonly place: PlaceRow }

async function examine(ends: MoveEnds, control: pg.Client) {
  const source: Queryable = { query: (statement, values) => run(control, statement, values) }
  const place = await findPlace(source)
  if (place === undefined) throw new Error(`there is no group ${ends.group} at ${ends.labels.source}`)
  if (place.state === 'arriving') throw new UnservedError(place)
  await lockMove(control)
  return { source, place, target: await findPlace(ends.target) }
}

async function moveServing(ends: MoveEnds, begun: Begun): Promise<MoveReport> {
  const { control, source, place } = begun
  const pending = await pendingMigrations(ends.source)
  if (pending.length > 0) {
    throw new Error(`the group is of an earlier version: run warungd group create ${ends.group} first`)
  }
  const last = await findLastMove(source)
  if (last?.isOver === false && last.target !== ends.labels.target) {
    throw new Error(
      `a move to ${last.target} was begun: finish it, or undo it by the same command with --abort, before another one`,
    )
  }
  const move = last?.isOver === false ? last.move : (last?.move ?? 0) + 1
  const names = namesOf(ends.group, move)
  const step = async (name: Parameters<MoveEnds['reached']>[0], detail = '') => {
    await noteStep(source, move, name, detail)
    ends.reached(name)
  }
  await step('begun', ends.labels.target)
  await prepareTarget(ends, place)
  await step('target')
  const tables = await listCarried(source)
  for (const { gate } of tables) await runPatiently(control, gate)
  await step('gated')
  await beginCopy(ends, control, tables, names)
  await untilCopied(ends, names)
  await step('copied', `${tables.length} tables`)
  const gate = await findGate(control)
  const before = await prove(ends, begun, { gate, move, tables })
  await step('proven', `${before.tables} tables, ${before.rows} rows`)
  const { heldMs, moments } = await switchOver(ends, begun, { gate, move, tables })
  return finish(ends, source, { ...place, epoch: place.epoch + 1n }, { heldMs, before, moments, tables })
}

/** Makes the schema of the new place, or goes on with the one that this move made. */
async function prepareTarget({ group, target, labels, isEmpty }: MoveEnds, place: PlaceRow): Promise<void> {
  const found = await findPlace(target)
  const epoch = place.epoch + 1n
  if (found?.state === 'moved') await target.query(`drop schema ${group} cascade`)
  const isOwn = found?.state === 'arriving' && found.other === labels.source && found.epoch === epoch
  if (found?.state === 'arriving' && !isOwn) throw new UnservedError(found)
  if (found?.state === 'serving' && !(await isEmpty(target))) {
    throw new Error(`${labels.target} has a group ${group} of its own, with resellers: nothing was changed`)
  }
  await migrate(target)
  await target.query(
    `update group_place set state = 'arriving', other = $1, epoch = $2, changed_at = statement_timestamp()`,
    [labels.source, epoch],
  )
}

// ── Hold ──

type Moments = { readonly source: Moment; readonly target: Moment }
type Held = { readonly gate: Gate; readonly move: number; readonly tables: readonly CarriedTable[] }

const ARRIVAL_MS = 1_200
const ARRIVAL_POLL_MS = 5
const AGAIN_MS = 1_000
const HOLDS_MAX = 60

/** Holds the writers until everything that they committed is at the new place, and runs `work` before they go on. */
async function whileHeld<T>(
  ends: MoveEnds,
  { source }: Begun,
  { gate, move }: Held,
  work: () => Promise<T>,
): Promise<T> {
  for (let holds = 1; ; holds += 1) {
    await gate.close()
    try {
      const mark = `mark ${randomBytes(8).toString('hex')}`
      await noteStep(source, move, mark)
      if (await arrives(ends, move, mark)) return await work()
    } finally {
      await gate.open().catch(() => {})
    }
    if (holds === HOLDS_MAX)
      throw new Error('the copy does not catch up with the payments: repeat the move later')
    ends.note('the copy is behind; the writers go on, and are held again in a moment')
    await delay(AGAIN_MS)
  }
}

async function arrives({ target }: MoveEnds, move: number, mark: string): Promise<boolean> {
  const giveUpAtMs = performance.now() + ARRIVAL_MS
  while (performance.now() < giveUpAtMs) {
    const { rows } = await target.query('select from group_move_steps where move = $1 and step = $2', [
      move,
      mark,
    ])
    if (rows.length > 0) return true
    await delay(ARRIVAL_POLL_MS)
  }
  return false
}

async function openMoments({ source, target }: MoveEnds): Promise<Moments> {
  const [own, other] = await Promise.all([openMoment(source), openMoment(target)])
  return { source: own, target: other }
}

async function closeMoments({ source, target }: Moments): Promise<void> {
  await Promise.all([source.close(), target.close()])
}

/** Compares every row of one moment, while payments go on. The hold lasts for as long as the moment is chosen. */
async function prove(ends: MoveEnds, begun: Begun, held: Held): Promise<Comparison> {
  const moments = await whileHeld(ends, begun, held, () => openMoments(ends))
  try {
    const compared = await compareTables(moments.source, moments.target, held.tables)
    refuseDifference(compared)
    return compared
  } finally {
    await closeMoments(moments)
  }
}

function refuseDifference({ differ }: Comparison): void {
  if (differ.length > 0) throw new Error(`the copy differs from the group: ${differ.join(', ')}`)
}

/** Size of tables that are compared once more while the group is held. */
const SMALL_BYTES = 300_000n

/** Takes the group from the older place in one commit, after which it is whole at the new one. */
async function switchOver(
  ends: MoveEnds,
  begun: Begun,
  held: Held,
): Promise<{ readonly heldMs: number; readonly moments: Moments }> {
  const { control, source, place } = begun
  const startedMs = performance.now()
  let heldMs = 0
  const moments = await whileHeld(ends, begun, held, async () => {
    ends.reached('held')
    const beganMs = performance.now()
    if (!(await areOfOneVersion(source, ends.target))) {
      throw new Error('the version of the group changed during the move: undo it by --abort, and begin anew')
    }
    refuseDifference(
      await compareTables(
        source,
        ends.target,
        held.tables.filter(({ bytes }) => bytes <= SMALL_BYTES),
      ),
    )
    await carrySequences(source, ends.target)
    // This commit is on the disk of the new place, and with it everything that was copied before.
    await ends.target.query('update group_place set changed_at = statement_timestamp()')
    const opened = await openMoments(ends)
    try {
      await fence(ends, control, place)
      ends.reached('fenced')
      await serve(ends, place.epoch + 1n)
    } catch (error) {
      await closeMoments(opened)
      throw error
    }
    heldMs = performance.now() - beganMs
    return opened
  })
  ends.note(`the group was switched after ${Math.round(performance.now() - startedMs)} ms`)
  return { heldMs, moments }
}

/**
 * Puts a schema that holds nothing but the new address in the place of the group's. After this commit no node can read
 * or write the older copy, whatever it was told.
 */
export async function fence(ends: MoveEnds, control: pg.Client, { epoch }: PlaceRow): Promise<void> {
  const { group, labels, sealed } = ends
  const kept = keptName(group, epoch)
  await run(control, 'begin')
  await run(control, `alter schema ${group} rename to ${kept}`)
  await run(control, `create schema ${group}`)
  await run(control, `create table ${group}.group_place (like ${kept}.group_place including all)`)
  await run(control, `insert into group_place (state, epoch, other, address) values ('moved', $1, $2, $3)`, [
    epoch + 1n,
    labels.target,
    sealed,
  ])
  await run(control, 'commit')
}

export function keptName(group: string, epoch: bigint): string {
  return `${group}_old_${epoch}`
}

async function serve({ target }: MoveEnds, epoch: bigint): Promise<void> {
  const { rowCount } = await target.query(
    `update group_place set state = 'serving', changed_at = statement_timestamp()
      where epoch = $1 and state in ('arriving', 'serving')`,
    [epoch],
  )
  if (rowCount !== 1) throw new Error('the group was moved to another place than this one: name that one')
}

// ── End ──

type Done = {
  readonly heldMs?: number
  readonly before?: Comparison
  readonly moments?: Moments
  readonly tables?: readonly CarriedTable[]
}

/** Does what is left when the older place is fenced. `place` has the number of the new one. */
async function finish(ends: MoveEnds, source: Queryable, place: PlaceRow, done: Done): Promise<MoveReport> {
  const { moments, tables = [], heldMs, before } = done
  await serve(ends, place.epoch)
  const last = await findLastMove(ends.target)
  const move = last?.move ?? 0
  const kept = keptName(ends.group, place.epoch - 1n)
  await noteStep(ends.target, move, 'switched')
  ends.reached('switched')
  await ends.list()
  ends.reached('listed')
  const names = namesOf(ends.group, move)
  await dropSubscription(ends.target, names, 'alone')
  await dropSlot(source, names)
  await source.query(`drop publication if exists ${names.publication}`)
  let after: Comparison | undefined
  if (moments !== undefined) {
    try {
      await moments.source.within(kept)
      after = await compareTables(moments.source, moments.target, tables)
    } finally {
      await closeMoments(moments)
    }
    refuseDifference(after)
  }
  await noteStep(
    ends.target,
    move,
    'finished',
    after === undefined ? 'not compared again' : `${after.rows} rows`,
  )
  ends.reached('finished')
  return { kept, heldMs, before, after }
}

/** Finishes a move that was broken off after the file of groups had named the new place. */
async function finishListed(ends: MoveEnds, source: Queryable): Promise<MoveReport> {
  const last = await findLastMove(source)
  const place = await findPlace(source)
  if (last === undefined || last.isOver || !last.isSwitched || place === undefined) {
    throw new Error(`the group ${ends.group} is at ${ends.labels.target} already: nothing was changed`)
  }
  await dropSubscription(ends.target, namesOf(ends.group, last.move), 'with its slot')
  await noteStep(source, last.move, 'finished', 'not compared again')
  return {
    kept: keptName(ends.group, place.epoch - 1n),
    heldMs: undefined,
    before: undefined,
    after: undefined,
  }
}

async function undo(ends: MoveEnds, { control, source, place }: Begun): Promise<void> {
  const last = await findLastMove(source)
  if (last === undefined || last.isOver) throw new Error('no move was begun: nothing was changed')
  if (last.target !== ends.labels.target)
    throw new Error(`the move was begun to ${last.target}: name that place`)
  const names = namesOf(ends.group, last.move)
  await dropSubscription(ends.target, names, 'alone')
  await dropSlot(source, names)
  await source.query(`drop publication if exists ${names.publication}`)
  const found = await findPlace(ends.target)
  if (found?.state === 'arriving' && found.other === ends.labels.source && found.epoch === place.epoch + 1n) {
    await ends.target.query(`drop schema ${ends.group} cascade`)
  }
  for (const { ungate } of await listCarried(source)) await runPatiently(control, ungate)
  await noteStep(source, last.move, 'aborted')
}
