/** Formats `name  value` lines with the values in one column. */
export function formatFields(fields: Readonly<Record<string, unknown>>): string {
  const shown = Object.entries(fields).filter(([, value]) => value !== undefined)
  const width = Math.max(0, ...shown.map(([name]) => name.length))
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${formatValue(value)}`.trimEnd()).join('\n')
}

/** Formats rows under headings. Each column is as wide as its widest value. */
export function formatTable(rows: readonly Readonly<Record<string, unknown>>[], none: string): string {
  const [first] = rows
  if (first === undefined) return none
  const columns = Object.keys(first)
  const lines = [columns, ...rows.map((row) => columns.map((column) => formatValue(row[column])))]
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value)) return value.join(',')
  return String(value)
}

/**
 * Describes the error and its cause. A refused connection to several addresses has its texts only in the inner errors.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const inner = error instanceof AggregateError ? error.errors.map(describeError).join('; ') : ''
  const text = error.message || inner || error.name
  const cause = error.cause === undefined ? '' : describeError(error.cause)
  return text.includes(cause) ? text : `${text}: ${cause}`
}
