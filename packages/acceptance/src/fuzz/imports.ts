import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Random } from '../faults/random.ts'
import { createRandom } from '../faults/random.ts'
import { CATALOGUE } from '../operator/operators.ts'
import { SLIPS, slipOf } from '../portal/slips.ts'
import { makeDirectory } from '../service.ts'
import type { FuzzCase } from './cases.ts'
import type { FileInput } from './corpus.ts'
import { findOperation } from './documents.ts'
import { mutateFile } from './files.ts'
import { bytesOf } from './mutations.ts'
import { sendCase } from './operations.ts'
import type { Recorder } from './recorder.ts'
import { FUZZ_PROVIDER } from './supplier.ts'
import type { PartOptions } from './suppliers-part.ts'
import type { Target } from './target.ts'

// Files that people upload or hand to the operator's command, changed in every way that mail programs, spreadsheets and
// bad disks change them.

const EXAMPLE = new URL('../../../../docs/examples/simulator-connection.json', import.meta.url)
const GMT8_MS = 8 * 3_600_000
const DAY = new Date(Date.now() + GMT8_MS).toISOString().slice(0, 10)
const BOOKS = `refid,amount,status,date\nfuzz-1,10.00,Succesful,${DAY}\nfuzz-2,5,Failed,${DAY}\n`
const GROUPS =
  'code,name,icon_url,display_order,is_active\nFOOD,Food,https://static.example.com/food.png,1,true\n'
const OPTIONS = 'product,field,code,label,denomination,features\nKOPI,amount,K10,RM 10,10.00,"3 GB|Hotspot"\n'
const PRICES = 'level,product,discount_type,value,currency\nSTANDARD,KOPI,percentage,0.98,MYR\n'
const PINS = 'pin,serial,expiry\n123456789012,SN-1,20991231\n223456789012,SN-2,20991231\n'
const SETTLEMENT = `reference,amount,state,time
W1882064086011740756-1,10.00,SUCCESS,${DAY} 10:00:00
W2-1,5.00,FAILED,${DAY} 10:00:01
`
const MAPPING = {
  reference: { column: 'reference' },
  amount: { column: 'amount' },
  state: { column: 'state', values: { SUCCESS: 'succeeded', FAILED: 'failed' } },
  time: { column: 'time', format: 'yyyy-MM-dd HH:mm:ss', zone: '+08:00' },
}

/** File of the command, and the arguments with which it is read. */
type CommandFile = {
  readonly name: string
  readonly content: string
  args(path: string, mapping: string, account: string): string[]
}

const COMMAND_FILES: readonly CommandFile[] = [
  ...Object.entries({ 'groups.csv': GROUPS, 'options.csv': OPTIONS, 'prices.csv': PRICES }).map(
    ([name, content]) => ({
      name,
      content,
      args: (path: string) => ['catalog', 'import', '--file', path, '--reason', 'fuzz'],
    }),
  ),
  {
    name: 'catalog.json',
    content: JSON.stringify(CATALOGUE),
    args: (path) => ['catalog', 'import', '--file', path, '--dry-run'],
  },
  {
    name: 'pins.csv',
    content: PINS,
    args: (path) => ['stock', 'load', '--product', 'PINTEN', '--denomination', '10', '--file', path],
  },
  {
    name: 'settlement.csv',
    content: SETTLEMENT,
    args: (path, mapping) => settlementArgs(path, mapping),
  },
  {
    name: 'mapping.json',
    content: JSON.stringify(MAPPING),
    args: (path) => settlementArgs(path.replace('mapping', 'whole'), path),
  },
  {
    name: 'books.csv',
    content: BOOKS,
    args: (path, _, account) => [
      'reconcile',
      '--reseller',
      account,
      '--file',
      path,
      '--from',
      DAY,
      '--to',
      DAY,
      '--output',
      `${path}.out`,
    ],
  },
  {
    name: 'config.json',
    content: readFileSync(EXAMPLE, 'utf8').replace(':3100', ':1'),
    args: (path) => {
      const secrets = join(dirname(path), 'secrets.json')
      return [
        'provider',
        'add',
        '--code',
        newCode(),
        '--kind',
        'http',
        '--file',
        path,
        '--secrets-file',
        secrets,
      ]
    },
  },
]

let codes = 0

function newCode(): string {
  codes += 1
  return `fuzzed-${codes}`
}

function settlementArgs(file: string, mapping: string): string[] {
  return [
    'settlement',
    'import',
    '--provider',
    FUZZ_PROVIDER,
    '--file',
    file,
    '--mapping',
    mapping,
    '--day',
    DAY,
  ]
}

export async function fuzzImports(target: Target, options: PartOptions): Promise<void> {
  const random = createRandom(options.seed).fork('imports')
  const directory = await prepareDirectory()
  for (let round = 0; options.goesOn(round); round += 1) {
    for (const { name, content } of COMMAND_FILES) {
      const bytes = round === 0 ? Buffer.from(content) : mutateFile(random, content).bytes
      await tryFile(target, { part: 'imports', name, bytes }, options.recorder, directory)
    }
    await tryUploads(target, random, options, round)
  }
}

/** Makes a directory with the files beside the one that is changed. */
async function prepareDirectory(): Promise<string> {
  const directory = await makeDirectory()
  await writeFile(join(directory, 'sound.json'), JSON.stringify(MAPPING))
  await writeFile(join(directory, 'whole.json'), SETTLEMENT)
  await writeFile(join(directory, 'secrets.json'), '{ "callback": "nothing-that-anybody-signs-with" }')
  return directory
}

/** Words of the runtime or the database, which a person with a wrong file should not read. */
const UNFORESEEN =
  /TypeError|RangeError|SyntaxError|Cannot read|is not a function|is not iterable|Maximum call stack|Invalid string length|invalid byte sequence|violates|out of range for type|invalid input syntax|could not determine|unterminated|\bat .*\.[jt]s:\d+/

/** Hands a file to the operator's command, and judges how it ends. */
export async function tryFile(
  { service, victim }: Pick<Target, 'service' | 'victim'>,
  input: FileInput,
  recorder: Recorder,
  given?: string,
): Promise<void> {
  const { name, bytes } = input
  const file = COMMAND_FILES.find((each) => each.name === name)
  if (file === undefined) throw new Error(`no command reads ${name}`)
  const directory = given ?? (await prepareDirectory())
  const path = join(directory, name)
  await writeFile(path, bytes)
  const args = file.args(path, join(directory, 'sound.json'), victim.account)
  const { code, stdout, stderr } = await service.tryWarungd(...args, '--json')
  recorder.count('imports', name, code)
  const text = `${stdout}${stderr}`
  const unforeseen = UNFORESEEN.exec(text)?.[0]
  const isBroken = ![0, 1, 2].includes(code) || unforeseen !== undefined || text.includes('\0')
  if (!isBroken) return
  const shown = `${bytes.subarray(0, 600).toString('latin1')}\n→ ${text.slice(0, 800)}`
  recorder.find({ problem: `${name}: exit ${code} ${unforeseen ?? ''}`, answer: shown, input })
}

// ── Uploads ──

async function tryUploads(
  target: Target,
  random: Random,
  { recorder }: PartOptions,
  round: number,
): Promise<void> {
  const isSound = round === 0
  const books = isSound ? Buffer.from(BOOKS) : mutateFile(random, BOOKS).bytes
  const slip = random.pick(Object.values(SLIPS))
  const changed = isSound ? slip : mutateFile(random, slip).bytes
  const document = isSound
    ? bytesOf({ document: CATALOGUE })
    : mutateFile(random, JSON.stringify({ document: CATALOGUE })).bytes
  const period = `from=${DAY}&to=${DAY}`
  const cases: FuzzCase[] = [
    upload('portalCompareBooks', period, 'text/csv', books),
    upload('compareResellerBooks', period, 'text/csv', books, { account: target.victim.account }),
    upload(
      'portalReportDeposit',
      '',
      JSON_TYPE,
      bytesOf(slipOf(`U-${random.between(0, 1e9)}`, { slip: changed.toString('base64') })),
    ),
    upload('previewCatalogue', '', JSON_TYPE, document),
  ]
  for (const fuzzCase of cases) {
    const operation = findOperation(fuzzCase.operation)
    if (operation === undefined) throw new Error(`no document has ${fuzzCase.operation}`)
    const actor = await target.actors.get(operation.api)
    await sendCase(target, operation, fuzzCase, { actor, random, recorder })
  }
}

const JSON_TYPE = 'application/json'

function upload(
  operation: string,
  query: string,
  type: string,
  body: Buffer,
  path: FuzzCase['path'] = {},
): FuzzCase {
  const headers = [['Content-Type', type]] as const
  return { operation, kind: 'near', note: 'file', method: 'POST', path, query, headers, body }
}
