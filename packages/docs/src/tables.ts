import { posix } from 'node:path'

/** Rows of the service's own tables, as packages/server gives them. */
export type ErrorRow = {
  readonly kind: string
  readonly code: number | null
  readonly token: string | null
  readonly http_status: number
  readonly outcome: string | null
  readonly message: string | null
  readonly cause: string
  readonly remedy: string
  readonly retry: string
  readonly retry_safe: boolean
}

export type TestAccountRow = {
  readonly account: string
  readonly outcome: string
  readonly code: number
  readonly text: string
}

export type GuideTables = {
  readonly errors: readonly ErrorRow[]
  readonly testAccounts: readonly TestAccountRow[]
  /** Moves of an order: the states that may follow each one. */
  readonly orderMoves: Readonly<Record<string, readonly string[]>>
  readonly settings: readonly SettingRow[]
}

export type SettingRow = {
  readonly name: string
  readonly usual: string
  readonly values: string
  readonly meaning: string
}

const RETRY_WORDS: Readonly<Record<string, string>> = {
  never: 'no',
  after_change: 'after the change',
  later: 'yes, later',
  ask_first: 'ask first',
  new_refid: 'as a new payment, with a new refid',
  poll: 'yes, every 5 to 10 s',
  not_needed: 'not needed',
}

export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cellOf).join(' | ')} |`
  return [line(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(line)].join('\n')
}

function cellOf(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ')
}

const code = (text: string | number) => `\`${text}\``

function guidance({ cause, remedy, retry }: ErrorRow): string[] {
  return [cause, remedy, RETRY_WORDS[retry] ?? retry]
}

function errorTable(rows: readonly ErrorRow[], first: string, cell: (row: ErrorRow) => string): string {
  return markdownTable(
    [first, 'Cause', 'What to do', 'Send it again?'],
    rows.map((row) => [cell(row), ...guidance(row)]),
  )
}

/** Tables by the name with which a page asks for them: `<!-- table: rejections -->`. */
export function tableMakers({
  errors,
  testAccounts,
  orderMoves,
  settings,
}: GuideTables): Readonly<Record<string, () => string>> {
  const ofKind = (kind: string) => errors.filter((row) => row.kind === kind)
  const payments = ofKind('payment')
  const paymentCell = ({ code: number, token }: ErrorRow) =>
    token === null ? `${code(String(number))}` : `${code(String(number))} ${code(token)}`
  const refusalCell = ({ token, http_status }: ErrorRow) => `${code(token ?? '')} ${http_status}`
  return {
    'authentication-errors': () => errorTable(ofKind('authentication'), 'Code', refusalCell),
    'token-errors': () => errorTable(ofKind('token'), 'Code', refusalCell),
    'order-errors': () => errorTable(ofKind('order'), 'Code', refusalCell),
    'order-moves': () =>
      markdownTable(
        ['From', 'To'],
        Object.entries(orderMoves).map(([from, to]) => [
          code(from),
          to.length === 0 ? 'nothing: it is final' : to.map(code).join(', '),
        ]),
      ),
    settings: () =>
      markdownTable(
        ['variable', 'default', 'values', 'meaning'],
        settings.map(({ name, usual, values, meaning }) => [code(name), usual, values, meaning]),
      ),
    'replay-errors': () => errorTable(ofKind('replay'), 'Code', refusalCell),
    'http-errors': () => errorTable(ofKind('http'), 'Status', ({ http_status }) => code(http_status)),
    rejections: () =>
      errorTable(
        payments.filter(({ outcome }) => outcome === 'rejected'),
        'Code and remarks',
        paymentCell,
      ),
    'payment-codes': () =>
      markdownTable(
        ['Code and remarks', 'Outcome', 'Cause', 'What to do', 'Send it again?'],
        payments
          .filter(({ outcome }) => outcome !== 'rejected')
          .map((row) => [paymentCell(row), row.outcome ?? '', ...guidance(row)]),
      ),
    'test-accounts': () =>
      markdownTable(
        ['Account', 'Outcome', 'Code', 'What happens'],
        testAccounts.map((row) => [code(row.account), row.outcome, code(row.code), row.text]),
      ),
  }
}

/** Puts the tables into a page. An unknown name is a mistake of the page. */
export function insertTables(markdown: string, makers: Readonly<Record<string, () => string>>): string {
  return markdown.replace(/^<!-- table: ([a-z-]+) -->$/gm, (_whole, name: string) => {
    const make = makers[name]
    if (make === undefined) throw new Error(`there is no table "${name}"`)
    return make()
  })
}

/** Puts the text of a file in the place of a marked link to it: `<!-- code: ts file=pay.ts -->` on the line above. */
export function insertCode(markdown: string, source: string, texts: ReadonlyMap<string, string>): string {
  return markdown.replace(
    /^<!-- code: (.+) -->\n\[[^\]]*\]\(([^)]+)\)$/gm,
    (_whole, info: string, href: string) => {
      const path = posix.join(posix.dirname(source), href)
      const text = texts.get(path)
      if (text === undefined) throw new Error(`${source} shows ${path}, which is not there`)
      return `\`\`\`${info}\n${text.trimEnd()}\n\`\`\``
    },
  )
}
