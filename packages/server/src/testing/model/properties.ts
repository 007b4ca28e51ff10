import { isFinal, SUCCEEDED, VOIDED } from '../../modules/payments/core/states.rules.ts'
import type { Book, Bounds, Life, Step, World } from './world.types.ts'

/** Properties that hold in every state, at every step, or of the whole graph (`ends`). */
export const PROPERTIES = {
  money:
    'money is conserved: a payment is charged once, and refunded once exactly when it failed or was voided',
  one_fulfilment:
    'a payment is carried out once at most; if a supplier contradicts itself, a contradiction is noted',
  refund: 'a refunded payment is not delivered; if a supplier contradicts itself, a contradiction is noted',
  final: 'a final state never changes, except by the void of a success',
  lease: 'a node that has lost its lease decides nothing',
  client: 'the client was told the truth: the payment it was told of exists, an end stays, a rejection stays',
  watched: 'an order that a supplier has, or may get, is watched until its end was heard',
  undecided:
    'no node refunds a payment, or begins a further attempt, while another attempt is known to be undecided',
  ends: 'every payment can end when faults stop',
} as const

export type Property = keyof typeof PROPERTIES

/** Lists the properties that a state breaks. */
export function judgeState(world: World, { funds }: Bounds): Property[] {
  const spent = world.lives.reduce((sum, { charges, refunds }) => sum + charges - refunds, 0)
  const isOverspent = world.balance < 0 || world.balance + spent !== funds
  return [...(isOverspent ? (['money'] as const) : []), ...world.lives.flatMap(judgeLife)]
}

function judgeLife(life: Life): Property[] {
  const broken: Property[] = []
  if (!isMoneySound(life)) broken.push('money')
  if (!isFulfilledOnce(life)) broken.push('one_fulfilment')
  if (!isRefundSound(life)) broken.push('refund')
  if (!isClientRight(life)) broken.push('client')
  if (!isWatched(life)) broken.push('watched')
  return broken
}

function isMoneySound({ row, charges, refunds }: Life): boolean {
  if (row === null) return charges === 0 && refunds === 0
  return charges === 1 && refunds === (isFinal(row.code) && row.code !== SUCCEEDED ? 1 : 0)
}

const isLied = ({ books }: Life) => books.some(({ isLie }) => isLie)
const isHeardDone = ({ heard }: Book) => heard.includes(SUCCEEDED)
const isNoted = ({ row }: Life) =>
  row?.contradictions.some((text) => text.startsWith(`${SUCCEEDED} `)) === true

function isFulfilledOnce(life: Life): boolean {
  if (!isLied(life)) return life.books.reduce((sum, { acts }) => sum + acts, 0) <= 1
  return life.books.filter(isHeardDone).length < 2 || isNoted(life)
}

function isRefundSound(life: Life): boolean {
  if (life.refunds === 0) return true
  if (!isLied(life)) return !life.books.some(({ state, isVoided }) => state === 'done' && !isVoided)
  return isNoted(life) || !life.books.some((book) => isHeardDone(book) && !book.isVoided)
}

function isClientRight({ row, told, toldNo, asked }: Life): boolean {
  if (asked > 0 && toldNo === asked && row !== null) return false
  if (told === null) return true
  if (row === null) return false
  return !isFinal(told) || row.code === told || (told === SUCCEEDED && row.code === VOIDED)
}

function isWatched({ row, books }: Life): boolean {
  return books.every((book, index) => {
    if (book.isLie || !isUndecided(book)) return true
    const attempt = index + 1
    return row?.work?.attempt === attempt || row?.open.some((each) => each.attempt === attempt) === true
  })
}

/** Tells whether something can still come of an order: it is with the supplier, or on its way there. */
function isUndecided({ state, flight, heard }: Book): boolean {
  if (heard.length > 0) return state === 'done' && !heard.includes(SUCCEEDED)
  return state === 'pending' || state === 'done' || (flight > 0 && state !== 'failed')
}

/** Lists the properties that a step breaks. */
export function judgeStep(world: World, step: Step): Property[] {
  const broken: Property[] = isStepOfHolder(world, step) ? [] : ['lease']
  for (const [payment, life] of world.lives.entries()) {
    const { row } = life
    if (row === null) continue
    if (!isPatient(life, step.next.lives[payment])) broken.push('undecided')
    if (!isFinal(row.code)) continue
    const code = step.next.lives[payment]?.row?.code
    if (code !== row.code && !(row.code === SUCCEEDED && code === VOIDED)) broken.push('final')
  }
  return broken
}

function isPatient({ row: before, refunds }: Life, next: Life | undefined): boolean {
  const work = before?.work
  if (work === null || work === undefined || before?.open.every(({ attempt }) => attempt === work.attempt))
    return true
  return next?.refunds === refunds && (next.row?.work?.attempt ?? 0) <= work.attempt
}

function isStepOfHolder(world: World, { decides, next }: Step): boolean {
  if (decides === undefined) return true
  const before = world.lives[decides.payment]?.row
  if (before?.work?.lease === decides.lease) return true
  const after = next.lives[decides.payment]?.row
  return before?.code === after?.code && before?.work?.attempt === after?.work?.attempt
}

/** Tells whether nothing is left to do: every payment has ended or never began, and nobody is at work. */
export function isSettled({ lives, tasks }: World): boolean {
  if (tasks.length > 0) return false
  return lives.every(({ row }) => row === null || (isFinal(row.code) && row.open.length === 0))
}
