import { beforeAll, describe, expect, it } from 'vitest'
import type { Command } from './command.ts'
import { loadAllCommands } from './commands/index.ts'
import { main } from './main.ts'

/** Runs a command without a database: a wrong option is refused before one is needed. */
async function warungd(...args: string[]) {
  const said = { out: '', err: '' }
  const io = {
    out: (text: string) => {
      said.out += text
    },
    err: (text: string) => {
      said.err += text
    },
    readInput: async () => '',
  }
  return { code: await main(args, io, {}), ...said }
}

const refusal = (text: string) => ({ code: 2, out: '', err: `warungd: ${text}\n` })

describe('--limit', () => {
  let commands: readonly Command[]
  beforeAll(async () => {
    commands = (await loadAllCommands()).filter(({ options }) => options.limit !== undefined)
  })

  it('a limit that is no number is a usage error of every list', async () => {
    expect(commands.length).toBeGreaterThan(14)
    for (const { name, options } of commands) {
      const required = Object.entries(options).filter(([, option]) => option.required)
      const args = [...name.split(' '), ...required.flatMap(([option]) => [`--${option}`, '1'])]
      const { code, err } = await warungd(...args, '--limit', 'x')
      expect({ name, code, err }).toEqual({ name, code: 2, err: expect.stringContaining('--limit: must be') })
    }
  })

  it.each([
    ['alert list', 1000],
    ['approval list', 200],
    ['audit list', 1000],
    ['case list', 1000],
    ['delivery queue', 1000],
    ['endpoint list', 1000],
    ['mail list', 1000],
    ['payment list', 200],
    ['payment stuck', 1000],
    ['reseller list', 1000],
    ['restore lost', 1000],
    ['settlement list', 1000],
    ['stock batches', 1000],
  ])('%s accepts 1 to %i', async (name, max) => {
    for (const limit of ['0', String(max + 1)]) {
      const refused = refusal(`--limit: must be a whole number from 1 to ${max}`)
      expect(await warungd(...name.split(' '), '--limit', limit)).toEqual(refused)
    }
  })
})

describe('--from and --to', () => {
  const reconcile = ['reconcile', '--reseller', '1', '--file', 'a.csv', '--output', 'b.csv']
  const closings = ['closing', 'list', '--reseller', '1']
  const deliveries = ['delivery', 'list', '--reseller', '1', '--stream', 'callback']
  const day = 'must be a day yyyy-MM-dd'
  const order = '--from: must not be later than --to'

  it.each([
    [['payment', 'list', '--from', 'yesterday'], `--from: ${day}`],
    [['payment', 'list', '--from', '2026-01-01', '--to', '2026-02-30'], `--to: ${day}`],
    [['payment', 'list', '--from', '2026-01-02', '--to', '2026-01-01'], order],
    [[...closings, '--from', 'yesterday'], `--from: ${day}`],
    [[...closings, '--to', 'today'], `--to: ${day}`],
    [[...closings, '--from', '2026-01-02', '--to', '2026-01-01'], order],
    [[...reconcile, '--from', 'yesterday', '--to', '2026-01-01'], `--from: ${day}`],
    [[...reconcile, '--from', '2026-01-02', '--to', '2026-01-01'], order],
    [[...deliveries, '--from', '2026-01-02', '--to', '2026-01-01T10:00:00Z'], order],
  ])('%j is a usage error that names the option', async (args, text) => {
    expect(await warungd(...args)).toEqual(refusal(text))
  })

  it('delivery list accepts days and instants', async () => {
    const { code, err } = await warungd(...deliveries, '--to', 'x')
    expect(code).toBe(2)
    expect(err).toMatch(/^warungd: --to: must be a day yyyy-MM-dd \(GMT\+8\) or an ISO 8601 instant/)
  })

  it('payment list accepts at most 31 days', async () => {
    const { code, err } = await warungd('payment', 'list', '--from', '2026-01-01', '--to', '2026-12-31')
    expect(code).toBe(1)
    expect(err).toContain('  to: must be at most 31 days from the first')
  })

  it('mail test accepts an e-mail address', async () => {
    const refused = refusal('--to: must be an e-mail address of at most 254 characters')
    expect(await warungd('mail', 'test', '--to', 'x')).toEqual(refused)
  })
})
