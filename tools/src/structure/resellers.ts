import type { Project, Violation } from './project.ts'
import { violation } from './project.ts'
import { blankSqlComments, FUNCTIONS, folderOf, listTables } from './sql.ts'

/** Modules whose tables are written for every payment, callback or order. */
const HOT_MODULES = new Set(['wallet', 'payments', 'events', 'orders'])
const KEY = /\bprimary\s+key\s*\(\s*(\w+)|^\s*(\w+)\s[^,\n]*\bprimary\s+key\b/im
/** Tables of one row. */
const SINGLE_ROW = /^(singleton|is_only)$/
const SIGNATURE = /\bfunction\s+\w+\s*\(([^)]*)\)\s*returns\s+(\w+)/i
const NAMES_RESELLER = /\bp_resellers?\b/
/** Statements that read or write rows; a function without one only computes. */
const TOUCHES_ROWS =
  /\b((?<!epoch\s)from\s+(?!unnest\b|p_|\d|\()\w+|insert\s+into|update\s+\w+\s+set|delete\s+from)\b/i

/**
 * Rule: hot tables and functions are keyed by reseller, so that resellers can be distributed over databases
 * (docs/adr/0027). The primary key of a table begins with `reseller_id`; a function that touches rows is told whose.
 */
export function keyedByReseller(project: Project): Violation[] {
  return [...tablesWithoutReseller(project), ...functionsWithoutReseller(project)]
}

function tablesWithoutReseller(project: Project): Violation[] {
  return listTables(project).flatMap(({ file, offset, name, owner }) => {
    if (!HOT_MODULES.has(owner ?? '')) return []
    const text = blankSqlComments(file.text)
    const body = text.slice(offset, text.indexOf('\n)', offset))
    const key = KEY.exec(body)
    const first = key?.[1] ?? key?.[2]
    if (first === undefined || first === 'reseller_id' || SINGLE_ROW.test(first)) return []
    return [
      violation(
        file,
        offset,
        'reseller-key',
        `table ${name}: its primary key does not begin with reseller_id`,
      ),
    ]
  })
}

function functionsWithoutReseller(project: Project): Violation[] {
  return project.list(FUNCTIONS).flatMap((file) => {
    const text = blankSqlComments(file.text)
    const [signature = '', parameters, result] = SIGNATURE.exec(text) ?? []
    if (!HOT_MODULES.has(folderOf(file.path)) || parameters === undefined) return []
    const namesOwner = NAMES_RESELLER.test(parameters) || hasRow(parameters)
    if (namesOwner || result === 'trigger' || !TOUCHES_ROWS.test(text.slice(signature.length))) return []
    return [
      violation(
        file,
        0,
        'reseller-key',
        `${file.path.split('/').at(-1)}: it is not told whose rows to touch`,
      ),
    ]
  })
}

/** Tells that a parameter is a whole row, which carries its reseller. */
function hasRow(parameters: string) {
  return /\bp_(delivery\s+deliveries|order\s+orders)\b/.test(parameters)
}
