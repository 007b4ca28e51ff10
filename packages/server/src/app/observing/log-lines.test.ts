import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createLogger } from '../../logger.ts'
import { createLogLines } from './log-lines.ts'

function open() {
  const written: Record<string, unknown>[] = []
  const logger = createLogger('info', { write: (text) => void written.push(JSON.parse(text)) })
  return { written, lines: createLogLines(logger, (id) => (id === 7n ? '1001' : undefined)) }
}

const NAMES = { resellerId: 7n, paymentId: 12n, refid: 'A-1', requestId: 'r-1' }
const FIELDS = { reseller: '1001', payment_id: '12', refid: 'A-1', request_id: 'r-1' }

it('a line about a payment has the fields of its request’s line, whatever it reports', () => {
  const { written, lines } = open()
  lines.onProblem('payment 12 is left to recovery', new Error('no'), NAMES)
  lines.onCallbackTrouble('acme', 'taken, but it has no such attempt', NAMES)
  expect(written).toEqual([
    expect.objectContaining({ ...FIELDS, level: 'error', msg: 'payment 12 is left to recovery' }),
    expect.objectContaining({ ...FIELDS, level: 'warn', provider: 'acme' }),
  ])
})

it('a line has only the names that are known', () => {
  const { written, lines } = open()
  lines.onProblem('one', new Error('no'))
  lines.onProblem('two', new Error('no'), { resellerId: 8n, paymentId: 12n })
  for (const name of Object.keys(FIELDS)) expect(written[0]).not.toHaveProperty(name)
  expect(written[1]).toMatchObject({ payment_id: '12' })
  expect(written[1]).not.toHaveProperty('reseller')
})

it('an alert about a payment names it as other lines do', () => {
  const { written, lines } = open()
  lines.onAlert({ kind: 'payment_contradiction', subject: '12', text: 'x' })
  lines.onAlert({ kind: 'float_low', subject: 'acme', text: 'y' })
  expect(written[0]).toMatchObject({ payment_id: '12', msg: 'alert: x' })
  expect(written[1]).not.toHaveProperty('payment_id')
})

it('every problem about a payment is reported with the names of the payment', () => {
  const modules = new URL('../../modules/', import.meta.url)
  const files = readdirSync(modules, { recursive: true, encoding: 'utf8' })
  const reports = files
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .flatMap((path) => [
      ...readFileSync(new URL(path, modules), 'utf8').matchAll(
        /onProblem\(\s*`[^`]*\b(?:payment|unit) \$\{[^`]*`,(?<rest>.*)\)/g,
      ),
    ])
    .map(({ groups }) => groups?.rest ?? '')
  expect(reports.length).toBeGreaterThanOrEqual(6)
  expect(reports.filter((rest) => !rest.includes(','))).toEqual([])
})
