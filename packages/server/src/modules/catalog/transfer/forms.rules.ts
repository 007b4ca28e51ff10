import { guardFormula, unguardFormula } from '../../../lib/input/csv.ts'
import type { Amount } from '../../../lib/money.ts'
import { formatMoney, parseMoney } from '../../../lib/money.ts'
import type { Rate } from '../../../lib/rates.ts'
import { formatRate, parseRate } from '../../../lib/rates.ts'
import type { JsonNode } from './json.rules.ts'
import { plainOf } from './json.rules.ts'

/** Reports a problem of a value at a line; the path is the JSON member or the CSV column. */
export type Report = (line: number, path: string, message: string) => void

/** Form of a value in a JSON document. `read` reports the problem before it returns undefined. */
export type Form<T> = {
  readonly read: (node: JsonNode, path: string, report: Report) => T | undefined
  readonly write: (value: T) => unknown
}

/** Form of a value in a cell of a CSV file, and in JSON. */
export type CellForm<T> = Form<T> & {
  readonly words: string
  /** Reads a cell; undefined when it breaks the rule in `words`. */
  readonly readCell: (cell: string) => T | undefined
  readonly writeCell: (value: T) => string
}

type Spelling<T> = {
  readonly words: string
  readonly fromText: (text: string) => T | undefined
  readonly toText: (value: T) => string
  /** Conversion from JSON, if the value is not text there. */
  readonly fromJson?: (value: unknown) => T | undefined
  readonly toJson?: (value: T) => unknown
}

export function cellForm<T>(spelling: Spelling<T>): CellForm<T> {
  const { words, fromText, toText } = spelling
  const fromJson = spelling.fromJson ?? ((value) => (typeof value === 'string' ? fromText(value) : undefined))
  return {
    words,
    readCell: (cell) => fromText(unguardFormula(cell)),
    writeCell: (value) => guardFormula(toText(value)),
    read(node, path, report) {
      const value = fromJson(plainOf(node))
      if (value === undefined) report(node.line, path, words)
      return value
    },
    write: spelling.toJson ?? toText,
  }
}

/** Allows null: an empty cell, or null in JSON. An empty text and an empty list mean the same. */
export function nullable<T>(form: CellForm<T>): CellForm<T | null> {
  return {
    words: `${form.words}, or nothing`,
    readCell: (cell) => (cell === '' ? null : form.readCell(cell)),
    writeCell: (value) => (isNothing(value) ? '' : form.writeCell(value)),
    read: (node, path, report) =>
      isNothing(plainOf(node))
        ? null
        : form.read(node, path, (line, at, message) => report(line, at, `${message}, or null`)),
    write: (value) => (isNothing(value) ? null : form.write(value)),
  }
}

function isNothing(value: unknown): value is null {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

// The catalogue's own rules decide what a text may contain; this file only reads it.

/** Text as it stands, spaces included; line ends of a spreadsheet become line feeds. */
export const TEXT: CellForm<string> = cellForm({
  words: 'must be text',
  fromText: (text) => text.replaceAll('\r\n', '\n'),
  toText: (value) => value,
  fromJson: (value) => (typeof value === 'string' ? value : undefined),
  toJson: (value) => value,
})

/** Text that may be empty; null means the same in JSON, as for every value that can be cleared. */
export const OPTIONAL_TEXT: CellForm<string> = {
  ...TEXT,
  read: (node, path, report) => (plainOf(node) === null ? '' : TEXT.read(node, path, report)),
}

export function oneOf<T extends string>(values: readonly T[]): CellForm<T> {
  return cellForm({
    words: `must be one of ${values.join(', ')}`,
    fromText: (text) => values.find((each) => each === text),
    toText: (value) => value,
  })
}

export const WHOLE: CellForm<number> = cellForm({
  words: 'must be a whole number',
  fromText: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) + 0 : undefined),
  toText: String,
  fromJson: (value) => (Number.isSafeInteger(value) ? (value as number) + 0 : undefined),
  toJson: (value) => value,
})

/** JSON number, used for the limits of a form. */
export const NUMBER: CellForm<number> = cellForm({
  words: 'must be a number',
  fromText: () => undefined,
  toText: String,
  fromJson: (value) => (typeof value === 'number' && Number.isFinite(value) ? value + 0 : undefined),
  toJson: (value) => value,
})

/** Boolean in any case: spreadsheets write TRUE and FALSE when they save a file again. */
export const BOOLEAN: CellForm<boolean> = cellForm({
  words: 'must be true or false',
  fromText: (text) => (/^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined),
  toText: String,
  fromJson: (value) => (typeof value === 'boolean' ? value : undefined),
  toJson: (value) => value,
})

export const AMOUNT: CellForm<Amount> = cellForm({
  words: 'must be a plain decimal with up to 4 decimals, such as "10.00"',
  fromText: parseMoney,
  toText: formatMoney,
})

export const RATE: CellForm<Rate> = cellForm({
  words: 'must be a plain decimal greater than 0 with up to 8 decimals, such as "0.985"',
  fromText(text) {
    const rate = parseRate(text)
    return rate !== undefined && rate > 0n ? rate : undefined
  },
  toText: formatRate,
})

/** List of texts. In a cell they are separated by `|`; a `|` or `\` inside one has a `\` before it. */
export const TEXTS = cellForm<readonly string[]>({
  words: 'must be texts, separated by |, with a \\ before every | and \\ inside one',
  fromText: splitItems,
  toText: (items) => items.map((item) => item.replace(/[\\|]/g, '\\$&')).join('|'),
  fromJson: (value) =>
    Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined,
  toJson: (items) => items,
})

/** Splits a cell; undefined when a `\` stands before anything but `|` and `\`. */
function splitItems(text: string): string[] | undefined {
  const items = ['']
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (character === '|') items.push('')
    else if (character !== '\\') items[items.length - 1] += character
    else {
      at += 1
      const escaped = text[at]
      if (escaped !== '|' && escaped !== '\\') return undefined
      items[items.length - 1] += escaped
    }
  }
  return items
}
