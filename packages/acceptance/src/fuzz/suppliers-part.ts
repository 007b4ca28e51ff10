import type { Random } from '../faults/random.ts'
import { createRandom } from '../faults/random.ts'
import { signed } from '../http.ts'
import type { PayBody, Payer, PaymentData } from '../payments.ts'
import { advanceClock, createPayer, newRefid } from '../payments.ts'
import { until } from '../service.ts'
import type { AnswersInput, CallbackInput } from './corpus.ts'
import { problemOf } from './judge.ts'
import { bytesOf, mutateBytes, mutateJson } from './mutations.ts'
import type { Recorder } from './recorder.ts'
import { BILL_PRODUCT, FUZZ_PRODUCT, OPTIONS_PRODUCT } from './supplier.ts'
import { chooseAnswer, honestAnswer } from './supplier-answers.ts'
import type { Target } from './target.ts'

// Payments, bills and options at a supplier that answers with anything, and its callbacks.

export type PartOptions = {
  readonly seed: number
  readonly recorder: Recorder
  /** Returns true while another round of this part is wanted. */
  readonly goesOn: (round: number) => boolean
}

const PAYMENTS_A_ROUND = 24

type Paid = { readonly body: PayBody; readonly data: PaymentData }

export async function fuzzSuppliers(target: Target, { seed, recorder, goesOn }: PartOptions): Promise<void> {
  const random = createRandom(seed).fork('suppliers')
  const payer = await createPayer(target.service, '1000000')
  await untilRouted(target, payer)
  for (let round = 0; goesOn(round); round += 1) {
    const source = random.fork(`answers ${round}`)
    target.supplier.speak((base) => chooseAnswer(source, base))
    const paid = await payMany(payer, recorder)
    await askMany(target, payer, recorder)
    await callBackMany(target, random, paid, recorder)
    await untilAsked(target, payer)
    await checkMany(target, payer, paid, recorder)
  }
  target.supplier.speak(undefined)
}

/** Waits until the service sends orders to the supplier. */
async function untilRouted({ supplier }: Target, payer: Payer): Promise<void> {
  await until('orders go to the supplier', async () => {
    await payer.pay(newOrder())
    return (supplier.asked().orders ?? 0) > 0
  })
}

let accounts = 0

function newOrder(): PayBody {
  accounts += 1
  return { refid: newRefid(), product: FUZZ_PRODUCT, account: `6019${1_000_000 + accounts}`, amount: 10 }
}

async function payMany(payer: Payer, recorder: Recorder): Promise<Paid[]> {
  const made = Array.from({ length: PAYMENTS_A_ROUND }, async (): Promise<Paid[]> => {
    const body = newOrder()
    const answer = await payer.send(body).catch((error: Error) => error)
    if (answer instanceof Error) {
      recorder.find({ problem: `a payment at the supplier: ${error(answer)}` })
      return []
    }
    recorder.count('suppliers', 'pay', answer.status)
    return answer.status === 200 ? [{ body, data: answer.json<{ data: PaymentData }>().data }] : []
  })
  return (await Promise.all(made)).flat()
}

function error({ message }: Error): string {
  return message.slice(0, 500)
}

const QUESTIONS = 12

/** Asks for bills and options, which show what the supplier says. */
async function askMany({ service }: Target, payer: Payer, recorder: Recorder): Promise<void> {
  const paths = [
    `/v2/bill-presentment?product=${BILL_PRODUCT}&account=60123456789`,
    `/v2/options?product_code=${OPTIONS_PRODUCT}&field_id=plan&account_number=60123456789`,
  ]
  for (let count = 0; count < QUESTIONS; count += 1) {
    const path = paths[count % paths.length] ?? ''
    const answer = await signed(service.baseUrl, payer.credentials, { path }).catch((failed: Error) => failed)
    if (answer instanceof Error) recorder.find({ problem: `${path}: ${error(answer)}` })
    else recorder.count('suppliers', path.slice(4, 20), answer.status)
  }
}

const CALLBACKS = 24
const CALLBACK_STATUSES = new Set([200, 400, 401, 403, 404, 405, 413, 415, 503, 504])

async function callBackMany(
  target: Target,
  random: Random,
  paid: readonly Paid[],
  recorder: Recorder,
): Promise<void> {
  for (let count = 0; count < CALLBACKS && paid.length > 0; count += 1) {
    const { data } = random.pick(paid)
    const said = {
      id: `evt_${random.between(0, 1e9)}`,
      reference: `W${data.transaction_id}-1`,
      status: random.pick(['succeeded', 'failed', 'pending', 'odd']),
      amount: '10.00',
      output: { serial_number: 'SN-2', pin: '' },
    }
    const body = random.chance(0.7)
      ? bytesOf(mutateJson(random, 'reseller', said).value)
      : mutateBytes(random, bytesOf(said)).bytes
    const type = random.chance(0.2)
      ? { 'Content-Type': random.pick(['text/plain', 'x', 'application/xml']) }
      : {}
    const input: CallbackInput = { part: 'callbacks', reference: said.reference, headers: type, bytes: body }
    await tryCallback(target, input, recorder)
  }
}

/** Sends a callback, and judges its answer. */
async function tryCallback({ supplier }: Target, input: CallbackInput, recorder: Recorder): Promise<void> {
  const answer = await supplier.callBack(input.bytes, input.headers).catch((failed: Error) => failed)
  if (answer instanceof Error) {
    recorder.find({ problem: `callback: ${error(answer)}`, input })
    return
  }
  recorder.count('suppliers', 'callback', answer.status)
  const problem = CALLBACK_STATUSES.has(answer.status)
    ? problemOf({ method: 'POST', path: '/callbacks/fuzzer' }, answer)
    : `status ${answer.status}`
  if (problem !== undefined) recorder.find({ problem: `callback: ${problem}`, answer: answer.text, input })
}

// ── Kept inputs ──

/** Sends a kept callback again, about an order of today. */
export async function replayCallback(
  target: Target,
  input: CallbackInput,
  recorder: Recorder,
): Promise<void> {
  const payer = await createPayer(target.service, '100')
  const { transaction_id: id } = await payer.pay(newOrder())
  const reference = `W${id}-1`
  const bytes = renamed(input.bytes, input.reference, reference)
  await tryCallback(target, { ...input, reference, bytes }, recorder)
}

/** Pays at a supplier that gives the kept answers again, the last one to all further questions. */
export async function replayAnswers(target: Target, input: AnswersInput, recorder: Recorder): Promise<void> {
  const payer = await createPayer(target.service, '100')
  await untilRouted(target, payer)
  const rest = [...input.answers]
  target.supplier.speak((base) => {
    const said = (rest.length > 1 ? rest.shift() : rest[0]) ?? honestAnswer(base)
    return { ...said, bytes: renamed(said.bytes, input.reference, base.reference) }
  })
  const body = newOrder()
  const data = await payer.pay(body)
  await untilAsked(target, payer)
  await checkMany(target, payer, [{ body, data }], recorder)
  target.supplier.speak(undefined)
}

function renamed(bytes: Buffer, from: string, to: string): Buffer {
  return from === '' ? bytes : Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1')
}

const QUESTIONS_ROUNDS = 3
const QUESTION_SECONDS = 600

/** Moves the account's clock, so that open payments are asked about now. */
async function untilAsked(target: Target, payer: Payer): Promise<void> {
  const { service, supplier } = target
  const asked = () => supplier.asked()['GET orders'] ?? 0
  for (let round = 0; round < QUESTIONS_ROUNDS && (await isOneOpen(target, payer)); round += 1) {
    const before = asked()
    await advanceClock(service, payer.account, QUESTION_SECONDS)
    await until('the supplier is asked', async () => asked() > before || !(await isOneOpen(target, payer)))
  }
}

async function isOneOpen({ database }: Target, { account }: Payer): Promise<boolean> {
  const { rowCount } = await database.query(
    `select from payment_work where reseller_id = (select id from resellers where account = $1) limit 1`,
    [account],
  )
  return rowCount === 1
}

/** No payment ends without an answer that says so. */
async function checkMany(
  { supplier }: Target,
  payer: Payer,
  paid: readonly Paid[],
  recorder: Recorder,
): Promise<void> {
  for (const { body } of paid) {
    const answer = await payer.send(body)
    const { data } = answer.json<{ data: PaymentData }>()
    const { readings, answers, hasArrived } = supplier.saidAbout(data.transaction_id)
    const input: AnswersInput = { part: 'suppliers', reference: `W${data.transaction_id}-1`, answers }
    recorder.count('suppliers', 'payment', data.status)
    if (data.status === 'Succesful' && !readings.has('succeeded')) {
      const problem = `payment ${data.transaction_id} succeeded, and the supplier never said so`
      recorder.find({ problem, input })
    }
    if (data.status === 'Failed' && hasArrived && !readings.has('failed')) {
      recorder.find({
        problem: `payment ${data.transaction_id} was refunded (${data.statusCode} ${data.remarks}), and the supplier never said so`,
        input,
      })
    }
  }
}
