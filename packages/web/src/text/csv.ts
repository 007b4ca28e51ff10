/** Beginnings that a spreadsheet takes for a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** Makes a CSV file of cells. Text that a spreadsheet would run gets an apostrophe in front of it. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')
}

function csvCell(value: string): string {
  const harmless = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
