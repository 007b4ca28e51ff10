import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Command } from '../cli/command.ts'
import { UsageError } from '../cli/command.ts'
import { noticeCommands } from '../cli/commands/catalog/notices.ts'
import { auditCommands } from '../cli/commands/money/audit.ts'
import { financeCommands } from '../cli/commands/money/finance.ts'
import { simulatorCommand } from '../cli/simulator.ts'
import { ConfigError, readConfig } from '../config.ts'
import { NETWORK, PORT } from '../lib/addresses.ts'
import { DAY } from '../lib/dates.ts'
import { RequestError } from '../lib/errors.ts'
import { PRICE_LEVEL, PRODUCT_CODE, PROVIDER_CODE } from '../lib/input/codes.ts'
import type { Rule } from '../lib/input/fields.ts'
import { BOOLEAN, LIST_LIMIT, readFields } from '../lib/input/fields.ts'
import { ID, ID_CURSOR } from '../lib/input/ids.ts'
import { WEB_URL } from '../lib/input/urls.ts'
import { MAIL_ADDRESS } from '../lib/mail-addresses.ts'
import { MONEY } from '../lib/money.ts'
import { FACTOR } from '../lib/rates.ts'
import { RESELLER_RULES } from '../modules/accounts/resellers.codec.ts'
import { readNetworks } from '../modules/accounts/rules.ts'
import { checkBase, checkLevel } from '../modules/catalog/edit/check.rules.ts'
import type { Problem } from '../modules/catalog/model/problems.rules.ts'
import type { BaseCatalog } from '../modules/catalog/model/types.ts'
import { readCatalogParameters } from '../modules/catalog/serve/parameters.rules.ts'
import { GROUP_COLUMNS, OPTION_COLUMNS, PRICE_COLUMNS } from '../modules/catalog/transfer/columns.rules.ts'
import type { CellForm } from '../modules/catalog/transfer/forms.rules.ts'
import { STUCK_RULES } from '../modules/operator/payments/payments.rules.ts'
import { DAY_RULES, readPage } from '../modules/portal/access/parameters.rules.ts'
import { ROUTE_RULES } from '../modules/providers/connections/connections.rules.ts'
import type { KindSettings } from '../modules/providers/kinds.service.ts'
import { listKinds } from '../modules/providers/kinds.service.ts'
import { readStockLines } from '../modules/providers/stock/import.rules.ts'
import { importSettlement } from '../modules/settlement/import.service.ts'
import { runs } from '../testing/runs.ts'

/** Reads a text in one of the places that take the field. Returns the message about it; undefined: it is accepted. */
type FieldReader = (text: string) => string | undefined | Promise<string | undefined>

// ── The edge ──

/** A reader that throws the messages of its fields. */
function edge(field: string, read: (text: string) => unknown): FieldReader {
  return async (text) => {
    try {
      await read(text)
      return undefined
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      return error.fields?.[field]?.join(' ')
    }
  }
}

const SIMULATOR = listKinds({ environment: 'staging' } as KindSettings).get('simulator')

// ── The command line ──

/** Thrown where a command begins its work: its options were read then. */
class Reached extends Error {}

function command(list: readonly Command[], name: string, option: string): FieldReader {
  return async (text) => {
    const given: Readonly<Record<string, string>> = { [option]: text }
    const stop = () => {
      throw new Reached()
    }
    const found = list.find((each) => each.name === name) as Command
    const call = {
      text: (asked: string) => given[asked] ?? '1',
      find: (asked: string) => given[asked],
      has: (asked: string) => Object.hasOwn(given, asked),
      runtime: stop,
    }
    try {
      await found.run(call as never)
    } catch (error) {
      if (error instanceof Reached) return undefined
      if (error instanceof UsageError) return error.message
      if (error instanceof RequestError) return error.fields?.[option]?.join(' ')
      throw error
    }
    return undefined
  }
}

/** The simulator's command. A key without its certificate stops it after its other options were read. */
function simulator(option: string): FieldReader {
  const place = command([{ ...simulatorCommand, run: runWithoutCertificate }], 'simulator', option)
  return async (text) => {
    const message = await place(text)
    return message?.startsWith(`--${option}:`) ? message : undefined
  }
}

const runWithoutCertificate: Command['run'] = (call) =>
  simulatorCommand.run({
    ...call,
    find: (name) => (name === 'tls-key' ? 'no-such-file' : call.find(name)),
  })

// ── Imports ──

function cell(form: Pick<CellForm<unknown>, 'message' | 'readCell'>): FieldReader {
  return (text) => (form.readCell(text) === undefined ? form.message : undefined)
}

const EMPTY = {
  groups: [],
  categories: [],
  products: [],
  options: new Map(),
  updatedAt: new Date(0),
} satisfies BaseCatalog

function problemAt(field: string, problems: readonly Problem[]): string | undefined {
  return problems.find((problem) => problem.field === field)?.text
}

const groupCode: FieldReader = (code) => {
  const group = { code, name: 'Name', iconUrl: '', displayOrder: 0, isActive: true }
  return problemAt('code', checkBase({ ...EMPTY, groups: [group] }))
}

const stockLink: FieldReader = (link) => {
  const messages: string[] = []
  const terms = { denomination: 10_000n, today: 0 }
  const quoted = `"${link.replaceAll('"', '""')}"`
  const lines = readStockLines(`pin,link\n1234,${quoted}\n`, terms, (_line, message) =>
    messages.push(message),
  )
  return [...lines].length === 1 ? undefined : messages.find((message) => message.startsWith('link: '))
}

const settlementProvider = edge('provider', async (provider) => {
  const input = { provider, day: '2026-01-01', name: 'file.csv', mapping: 'no mapping' }
  await importSettlement({} as never, input as never)
})

// ── The environment ──

function environment(name: string): FieldReader {
  return (text) => {
    try {
      readConfig({ [name]: text })
      return undefined
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      return error.problems.find(([each]) => each === name)?.[1]
    }
  }
}

// ── Texts ──

const SPOILERS = [
  '',
  ' ',
  '0',
  '9',
  'a',
  'Z',
  '_',
  '-',
  '.',
  ':',
  '/',
  '@',
  '%',
  '\n',
  '\0',
  'é',
  '😀',
  '\ud800',
]

/** Texts near the edge of a field's rule: a sample in which one character is added, taken away or replaced. */
function near(samples: readonly string[]): fc.Arbitrary<string> {
  const edits = fc.record({
    sample: fc.constantFrom(...samples),
    at: fc.nat(60),
    removed: fc.nat(1),
    added: fc.constantFrom(...SPOILERS),
    times: fc.constantFrom(1, 1, 1, 40, 300, 3_000),
  })
  const edited = edits.map(({ sample, at, removed, added, times }) => {
    const place = at % (sample.length + 1)
    return sample.slice(0, place) + added.repeat(times) + sample.slice(place + removed)
  })
  return fc.oneof(fc.constantFrom(...samples), edited, fc.string())
}

/** A field: the rule that declares it, samples around its bounds, and the places that take it. */
type SharedField = {
  readonly rule: Rule<unknown>
  readonly samples: readonly string[]
  readonly readers: Readonly<Record<string, FieldReader>>
  /** False for texts that a place does not take as one value. */
  readonly isOne?: (text: string) => boolean
}

const withoutComma = (text: string) => !text.includes(',')

const FIELDS: Readonly<Record<string, SharedField>> = {
  port: {
    rule: PORT,
    samples: ['0', '3000', '65535', '65536', '-1', '1e3'],
    readers: { command: simulator('port'), environment: environment('WARUNG_PORT') },
  },
  'web address': {
    rule: WEB_URL,
    samples: ['https://example.com/a?b=c', 'HTTP://127.0.0.1:3000', 'ftp://example.com', 'https:example.com'],
    readers: {
      edge: (url) => SIMULATOR?.check({ url }, {}).find(({ path }) => path === 'url')?.message,
      command: simulator('callback-url'),
      import: stockLink,
      environment: environment('WARUNG_SIMULATOR_URL'),
    },
    // A cell of a file is trimmed, and quotes keep line ends in it.
    isOne: (text) => text === text.trim(),
  },
  amount: {
    rule: MONEY,
    samples: ['10', '10.00', '0.1234', '0.12345', '999999999999999', '1000000000000000', '-1', '1e3', '.5'],
    readers: { command: simulator('float'), import: cell(OPTION_COLUMNS.rrp.form) },
  },
  factor: {
    rule: FACTOR,
    samples: ['0.985', '1', '0', '-1', '0.123456789', '123456789', '1234567890'],
    readers: { import: cell(PRICE_COLUMNS.value.form) },
  },
  'yes or no': {
    rule: BOOLEAN,
    samples: ['true', 'FALSE', '1', '0', 'yes', '01', 'True '],
    readers: {
      edge: edge('is_active', (is_active) => readCatalogParameters({ is_active })),
      import: cell(GROUP_COLUMNS.isActive.form),
      environment: environment('WARUNG_EMBEDDED'),
    },
  },
  'limit of a list': {
    rule: LIST_LIMIT,
    samples: ['1', '1000', '0', '1001', '007', '+5'],
    readers: {
      edge: edge('limit', (limit) => readFields(STUCK_RULES, { limit })),
      command: command(auditCommands, 'audit list', 'limit'),
    },
  },
  day: {
    rule: DAY,
    samples: ['2026-02-28', '2026-02-29', '2024-02-29', '2026-13-01', '0001-01-01', '9026-02-28', '20260228'],
    readers: {
      edge: edge('from', (from) => readFields(DAY_RULES, { from })),
      command: command(financeCommands, 'closing list', 'from'),
    },
  },
  id: {
    rule: ID,
    samples: ['1', '9223372036854775807', '9223372036854775808', '0', '01', '-1'],
    readers: { command: command(noticeCommands, 'notice end', 'id') },
  },
  'place in a list': {
    rule: ID_CURSOR,
    samples: ['1', '9223372036854775807', '9223372036854775808', '0', '01', '-1'],
    readers: { edge: edge('cursor', (cursor) => readPage({ cursor })) },
  },
  network: {
    rule: NETWORK,
    samples: [
      '10.0.0.1',
      '10.0.0.0/8',
      '2001:db8::/32',
      '::ffff:10.0.0.0/104',
      'fe80::1%eth0',
      '10.1',
      '10.0.0.0/33',
    ],
    readers: {
      edge: edge('network', (network) => readNetworks([network])),
      environment: environment('WARUNG_RATE_EXEMPT'),
    },
    isOne: withoutComma,
  },
  'mail address': {
    rule: MAIL_ADDRESS,
    samples: [
      'a@example.com',
      'a@b..c',
      'a@-b.c',
      `${'a'.repeat(65)}@b.c`,
      'a b@c.d',
      'a@localhost',
      ' a@b.c ',
    ],
    readers: { edge: edge('email', (email) => readFields({ email: RESELLER_RULES.email }, { email })) },
  },
  'price level': {
    rule: PRICE_LEVEL,
    samples: ['STANDARD', 'A', 'A'.repeat(40), 'A'.repeat(41), 'gold', 'A_1', 'A-1'],
    readers: {
      edge: edge('price_level', (priceLevel) =>
        readFields({ priceLevel: RESELLER_RULES.priceLevel }, { priceLevel }),
      ),
      import: (code) => problemAt('code', checkLevel(EMPTY, { code, name: 'Name', prices: new Map() })),
    },
  },
  'product code': {
    rule: PRODUCT_CODE,
    samples: ['NOVA10', 'a', '_a', 'A'.repeat(50), 'A'.repeat(51), 'A.b-c_d', 'A B'],
    readers: { import: groupCode },
  },
  'provider code': {
    rule: PROVIDER_CODE,
    samples: ['nova', '1', '-a', 'a'.repeat(40), 'a'.repeat(41), 'Nova', 'a_b-c'],
    readers: {
      edge: edge('provider', (provider) => readFields({ provider: ROUTE_RULES.provider }, { provider })),
      import: settlementProvider,
    },
  },
}

describe.each(Object.entries(FIELDS))(
  'the field %s',
  (_name, { rule, samples, readers, isOne = () => true }) => {
    const read = rule.parse ?? rule.read
    // A blank text means that nothing was given, and every place has its own default for that.
    const texts = near(samples).filter((text) => text.trim() !== '' && isOne(text))

    it.each(Object.entries(readers))(
      'is accepted, and refused with the same message, at the %s',
      async (_, place) => {
        await fc.assert(
          fc.asyncProperty(texts, async (text) => {
            const message = await place(text)
            if (read(text) === undefined) expect(message).toContain(rule.message)
            else expect(message).toBeUndefined()
          }),
          {
            examples: samples.map((sample) => [sample] as [string]).filter(([text]) => isOne(text)),
            numRuns: runs(200),
          },
        )
      },
    )

    it('has samples on both sides of its bounds', () => {
      expect(new Set(samples.map((sample) => read(sample) === undefined))).toEqual(new Set([true, false]))
    })
  },
)

it('a sender of mails has an address that every other place takes for one', () => {
  const sender = environment('WARUNG_MAIL_FROM')
  const texts = near(FIELDS['mail address']?.samples ?? []).filter(
    (text) => !/[<>]/.test(text) && text.trim() !== '',
  )
  fc.assert(
    fc.property(texts, (text) => {
      expect(sender(text) === undefined).toBe(MAIL_ADDRESS.read(text) !== undefined)
    }),
  )
})
