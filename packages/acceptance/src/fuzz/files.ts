import type { Random } from '../faults/random.ts'
import { hostileText } from './hostile.ts'
import type { MutatedBytes } from './mutations.ts'
import { mutateBytes } from './mutations.ts'

/** Changes a file as spreadsheets, mail programs, bad disks and attackers do. */
export function mutateFile(random: Random, content: string | Buffer): MutatedBytes {
  const bytes = Buffer.from(content)
  if (typeof content !== 'string' || random.chance(0.4)) return mutateBytes(random, bytes)
  const [note, change] = random.pick(CHANGES)
  return { bytes: Buffer.from(change(random, content)), note }
}

type Change = readonly [note: string, change: (random: Random, text: string) => string]

const CHANGES: readonly Change[] = [
  ['a hostile cell', (random, text) => replaceCell(random, text, quoted(hostileText(random)))],
  ['a hostile cell, not quoted', (random, text) => replaceCell(random, text, hostileText(random))],
  [
    'a formula',
    (random, text) => replaceCell(random, text, random.pick(['=1+1', '+1', '-1', '@SUM(A1)', "'=1"])),
  ],
  ['an open quote', (random, text) => replaceCell(random, text, '"open')],
  ['text behind a quote', (random, text) => replaceCell(random, text, '"a"b')],
  ['a column more', (_, text) => text.replaceAll('\n', ',more\n')],
  ['a column less', (_, text) => text.replaceAll(/,[^,\n]*\n/g, '\n')],
  ['columns exchanged', (_, text) => text.replaceAll(/^([^,\n]*),([^,\n]*)/gm, '$2,$1')],
  ['a column twice', (_, text) => text.replace(/^([^,\n]*)/, '$1,$1')],
  ['very many columns', (_, text) => `${text}${',x'.repeat(200_000)}\n`],
  ['very many headings', (_, text) => `${'x,'.repeat(200_000)}${text}`],
  [
    'very many lines',
    (random, text) => text + `${text.split('\n')[1] ?? ''}\n`.repeat(random.pick([100, 3_000])),
  ],
  ['empty lines', (_, text) => text.replaceAll('\n', '\n\n\r\r\n')],
  ['carriage returns', (_, text) => text.replaceAll('\n', '\r')],
  ['semicolons', (_, text) => text.replaceAll(',', ';')],
  ['tabs', (_, text) => text.replaceAll(',', '\t')],
  ['headings alone', (_, text) => `${text.split('\n')[0] ?? ''}\n`],
  ['no headings', (_, text) => text.split('\n').slice(1).join('\n')],
  ['a long cell', (random, text) => replaceCell(random, text, 'x'.repeat(300_000))],
  ['every line twice', (_, text) => text.replaceAll(/^(.*)$/gm, '$1\n$1')],
  ['a line break in a cell', (random, text) => replaceCell(random, text, '"a\r\nb"')],
]

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

/** Replaces a cell of a CSV file, or a value of JSON text. */
function replaceCell(random: Random, text: string, cell: string): string {
  const cells = [...text.matchAll(/[^,\n:{}[\]]+/g)]
  const chosen = random.pick(cells)
  return text.slice(0, chosen.index) + cell + text.slice(chosen.index + chosen[0].length)
}
