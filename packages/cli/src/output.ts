import type { Io } from './io.ts'

// Results as tables for people, or as JSON for programs.

export type Cell = string | number | boolean | null | undefined
export type Row = Readonly<Record<string, Cell>>

/** Removes control characters: text of others must not steer the terminal. */
export function printable(value: Cell): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  return String(value ?? '').replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
}

/** Writes a value as JSON. JSON itself leaves some control characters as they are. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Lays rows out in columns, with the names of the first row's members as heads. */
export function table(rows: readonly Row[]): string {
  const [first] = rows
  if (first === undefined) return ''
  const names = Object.keys(first)
  const lines = [names, ...rows.map((row) => names.map((name) => printable(row[name])))]
  const widths = names.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Lists the members of one thing, a line each. */
export function card(members: Row): string {
  const width = Math.max(...Object.keys(members).map((name) => name.length))
  return Object.entries(members)
    .map(([name, value]) => `${name.padEnd(width)}  ${printable(value)}`)
    .join('\n')
}

export type Printer = {
  /** Prints a list: the values as JSON, or as a table of rows. */
  list<T>(values: readonly T[], toRow: (value: T) => Row, empty?: string): void
  one(value: unknown, members: Row): void
  /** Prints one item of a stream: a JSON line, or a text. */
  item(value: unknown, text: string): void
}

export function printerFor(io: Pick<Io, 'out' | 'note'>, isJson: boolean): Printer {
  if (isJson) {
    const print = (value: unknown) => io.out(`${jsonText(value, 2)}\n`)
    return { list: print, one: print, item: (value) => io.out(`${jsonText(value)}\n`) }
  }
  return {
    list(values, toRow, empty = 'nothing found') {
      if (values.length === 0) io.note(`${empty}\n`)
      else io.out(`${table(values.map(toRow))}\n`)
    },
    one: (_, members) => io.out(`${card(members)}\n`),
    item: (_, text) => io.out(`${printable(text)}\n`),
  }
}
