import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CommandBench } from '../../testing/commands/bench.ts'
import { newProvider, openCommandBench } from '../../testing/commands/bench.ts'
import { loadAllCommands } from '../commands/index.ts'
import { main } from '../main.ts'
import type { NameKind } from './kinds.ts'
import { NAME_KINDS } from './kinds.ts'

// Every option of every command that names something that exists already. A new option of such a form is found by its
// placeholder: it says what it names, or stands here with the reason why it does not.

/** Placeholders of values that may name something. */
const NAMING = new Set(['ACCOUNT', 'CODE', 'EMAIL', 'NAME', 'ADDRESS', 'ID', 'ORDER'])

/** Options of these forms that name nothing that could be looked up, with the reason. */
const FREE: Readonly<Record<string, string>> = {
  'serve --runtime': 'one of two words',
  'provider prove --supplier-code': 'a word of the supplier',
  'simulator --host': 'an address of this machine',
  'backup verify --base': 'a file',
  'restore --base': 'a file',
  'reseller create --email': 'of a new reseller',
  'reseller create --price-level': 'looked up with the account, which may make the first level',
  'reseller update --email': 'a new address',
  'reseller update --price-level': 'looked up with the account',
  'user create --username': 'of a new user',
  'user create --email': 'of a new user',
  'audit list --actor': 'kept longer than who is named',
  'audit list --target': 'kept longer than what is named',
  'order show --order': 'an id',
  'notice add --by': 'a person',
  'mail show --id': 'an id',
  'mail test --to': 'any address',
  'delivery list --event': 'an id',
  'delivery show --id': 'an id',
  'delivery replay --id': 'an id',
  'provider add --code': 'of a new provider',
  'provider add --pack': 'a folder of the packs, which says its names',
  'provider answers --pack': 'a folder of the packs, which says its names',
  'provider packs --pack': 'a folder of the packs, which says its names',
  'provider word dismiss --id': 'an id',
  'provider word map --id': 'an id',
  'provider update --forget-secret': 'looked up with the secrets',
  'stock load --by': 'a person',
  'stock withdraw --by': 'a person',
  'catalog accept --id': 'an id',
  'catalog accept --after': 'an id',
  'catalog accept --into': 'perhaps of a new product',
  'catalog reject --id': 'an id',
  'catalog reject --after': 'an id',
  'catalog proposals --after': 'an id',
  'level create --code': 'of a new level',
  'overlay set --option': 'looked up with the product',
  'overlay set --field': 'looked up with the product',
  'overlay remove --option': 'looked up with the product',
  'overlay remove --field': 'looked up with the product',
  'operator create --email': 'of a new operator',
  'key create --product': 'or a category, or a group: looked up with the account',
  'key update --product': 'or a category, or a group: looked up with the account',
  'block lift --address': 'an address of the network',
}

const commands = await loadAllCommands()
const options = commands.flatMap((command) =>
  Object.entries(command.options).map(([name, option]) => ({ command, name, option })),
)
const NAMES = options.flatMap(({ command, name, option }) =>
  option.names === undefined ? [] : [[command.name, name, option.names] as const],
)

let bench: CommandBench
let provider: string

beforeAll(async () => {
  bench = await openCommandBench()
  provider = await newProvider(bench)
  await bench.warungd('user', 'create', ...bench.of('--username', 'siti.aminah', '--role', 'admin'))
  const person = ['--email', 'siti@example.com', '--name', 'Siti', '--role', 'admin']
  await bench.warungd('operator', 'create', ...person)
})
afterAll(() => bench.close())

it('every option that could name something says what, or is listed with the reason why not', () => {
  const naming = options.filter(({ option }) => NAMING.has(option.value ?? ''))
  const silent = naming.filter(({ option }) => option.names === undefined)
  expect(silent.map(({ command, name }) => `${command.name} --${name}`).sort()).toEqual(
    Object.keys(FREE).sort(),
  )
  expect(new Set(NAMES.map(([, , kind]) => kind))).toEqual(new Set(NAME_KINDS))
})

it('every option of a product, a provider, a reseller or a price level is one of them', () => {
  const said = ['product', 'provider', 'reseller', 'operator', 'category', 'level', 'user', 'username']
  const silent = options.filter(({ name, option }) => said.includes(name) && option.names === undefined)
  const named = silent.map(({ command, name }) => `${command.name} --${name}`)
  // `provider add --product` has a product, an amount and a code of the supplier in one value; a key may name categories.
  expect(named.sort()).toEqual([
    'key create --product',
    'key update --product',
    'provider add --product',
    'user create --username',
  ])
})

/** A name with a slip in it, and the name that was meant. */
function slipOf(kind: NameKind): readonly [slip: string, meant: string] {
  switch (kind) {
    case 'reseller':
      return [slipped(bench.account), bench.account]
    case 'product':
    case 'routed product':
      return ['NOVVA', 'NOVA']
    case 'provider':
    case 'fulfilling provider':
    case 'settled provider':
      return [`${provider}x`, provider]
    case 'price level':
      return ['STANDRD', 'STANDARD']
    case 'category':
      return ['BILS', 'BILLS']
    case 'operator':
      return ['sitti@example.com', 'siti@example.com']
    case 'user':
      return ['siti.amina', 'siti.aminah']
    default:
      return kind satisfies never
  }
}

const slipped = (account: string) => account.slice(0, -1) + (account.endsWith('7') ? '8' : '7')

/** Values of options that a command needs before it looks anything up. */
function neededFor(name: string): string {
  const values: Readonly<Record<string, string>> = {
    product: 'NOVA',
    provider,
    code: provider,
    reseller: bench.account,
    email: 'siti@example.com',
    operator: 'siti@example.com',
    username: 'siti.aminah',
    level: 'STANDARD',
    stream: 'balance',
    amount: '5',
    seconds: '60',
    day: '2026-01-01',
    from: '2026-01-01',
    to: '2026-01-01',
    at: '2026-01-01T00:00:00Z',
    month: '2026-01',
    format: 'csv',
    as: 'failed',
    min: '5',
    id: '1',
    denomination: '10',
    role: 'admin',
    'topup-requires-api-key': 'on',
  }
  return values[name] ?? 'x'
}

/** Words that some commands need besides their required options. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  'mail switch': ['--kind', 'deposit', '--to', 'on'],
  'payment show': ['--refid', 'R-1'],
  'payment resolve': ['--refid', 'R-1'],
  'payment trace': ['--refid', 'R-1'],
  'catalog price': ['--percentage', '0.98'],
  'overlay set': ['--on'],
  'reseller update': ['--name', 'New'],
}

describe('an option with a name that does not exist is refused, and the nearest is named', () => {
  it.each(NAMES)('%s --%s (%s)', async (name, option, kind) => {
    const command = commands.find((each) => each.name === name)
    const [slip, meant] = slipOf(kind)
    const file = await bench.written('empty.json', '{}')
    const required = Object.entries(command?.options ?? {}).flatMap(([other, { required: isNeeded }]) => {
      if (!isNeeded || other === option || MORE[name]?.includes(`--${other}`)) return []
      return [`--${other}`, ['file', 'mapping'].includes(other) ? file : neededFor(other)]
    })
    let [out, err] = ['', '']
    const io = {
      out: (text: string) => {
        out += text
      },
      err: (text: string) => {
        err += text
      },
      readInput: async () => '',
    }
    const words = [...name.split(' '), `--${option}`, slip, ...required, ...(MORE[name] ?? [])]
    const code = await main(words, io, bench.env)
    expect({ code, out }, `${words.join(' ')}\n${err}`).toEqual({ code: 1, out: '' })
    expect(err).toContain(slip)
    expect(err).toMatch(new RegExp(`Did you mean .*\\b${meant}\\b`))
  })
})
