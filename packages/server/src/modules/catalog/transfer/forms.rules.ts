import { guardFormula, unguardFormula } from '../../../lib/input/csv.ts'
import type { Rule } from '../../../lib/input/fields.ts'
import { BOOLEAN as BOOLEAN_RULE, oneOf as oneOfRule, readText } from '../../../lib/input/fields.ts'
import type { Amount } from '../../../lib/money.ts'
import { formatMoney, MONEY } from '../../../lib/money.ts'
import type { Rate } from '../../../lib/rates.ts'
import { FACTOR, formatRate } from '../../../lib/rates.ts'
import { ORDER as ORDER_RULE } from '../model/problems.rules.ts'
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
  readonly message: string
  /** Reads a cell; undefined when it breaks the rule in `message`. */
  readonly readCell: (cell: string) => T | undefined
  readonly writeCell: (value: T) => string
}

type Spelling<T> = {
  readonly message: string
  readonly fromText: (text: string) => T | undefined
  readonly toText: (value: T) => string
  /** Conversion from JSON, if the value is not text there. */
  readonly fromJson?: (value: unknown) => T | undefined
  readonly toJson?: (value: T) => unknown
}

export function cellForm<T>(spelling: Spelling<T>): CellForm<T> {
  const { message, fromText, toText } = spelling
  const fromJson = spelling.fromJson ?? ((value) => (typeof value === 'string' ? fromText(value) : undefined))
  return {
    message,
    readCell: (cell) => fromText(unguardFormula(cell)),
    writeCell: (value) => guardFormula(toText(value)),
    read(node, path, report) {
      const value = fromJson(plainOf(node))
      if (value === undefined) report(node.line, path, message)
      return value
    },
    write: spelling.toJson ?? toText,
  }
}

/** Allows null: an empty cell, or null in JSON. An empty text and an empty list mean the same. */
export function nullable<T>(form: CellForm<T>): CellForm<T | null> {
  return {
    message: `${form.message}, or nothing`,
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
  message: 'must be text',
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

/** Makes the form of a value from the rule of its field: the rule reads cells and JSON. */
function ruleForm<T>(
  rule: Rule<T>,
  toText: (value: T) => string,
  toJson: (value: T) => unknown = toText,
): CellForm<T> {
  return cellForm({
    message: rule.message,
    fromText: (text) => readText(rule, text),
    toText,
    fromJson: rule.read,
    toJson,
  })
}

const same = <T>(value: T): T => value

export function oneOf<T extends string>(values: readonly T[]): CellForm<T> {
  return ruleForm<T>(oneOfRule(values), same)
}

export const ORDER: CellForm<number> = ruleForm(ORDER_RULE, String, same)

/** JSON number, used for the limits of a form. */
export const NUMBER: CellForm<number> = cellForm({
  message: 'must be a number',
  fromText: () => undefined,
  toText: String,
  fromJson: (value) => (typeof value === 'number' && Number.isFinite(value) ? value + 0 : undefined),
  toJson: (value) => value,
})

export const BOOLEAN: CellForm<boolean> = ruleForm(BOOLEAN_RULE, String, same)

export const AMOUNT: CellForm<Amount> = ruleForm(MONEY, formatMoney)

export const RATE: CellForm<Rate> = ruleForm(FACTOR, formatRate)

/** List of texts. In a cell they are separated by `|`; a `|` or `\` inside one has a `\` before it. */
export const TEXTS = cellForm<readonly string[]>({
  message: 'must be texts, separated by |, with a \\ before every | and \\ inside one',
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
