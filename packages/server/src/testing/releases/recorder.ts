import type { Database } from '../../db/database.ts'
import type { RecordedAct, SentStatement } from './snapshot.ts'

/** Database that writes down the statements of one act at a time. */
export type Recorder = {
  readonly database: Database
  /** Runs `act` and keeps its statements. The result of `act` names the values that differ each time. */
  record(name: string, act: () => Promise<Readonly<Record<string, string>>>): Promise<void>
  readonly acts: Readonly<Record<string, RecordedAct>>
}

export function recordStatements(database: Database): Recorder {
  const acts: Record<string, RecordedAct> = {}
  let statements: SentStatement[] | undefined
  return {
    acts,
    database: {
      ...database,
      query(statement, values = []) {
        const text = typeof statement === 'string' ? statement : statement.text
        statements?.push({ text, values: values.map(toJson) })
        return database.query(statement, values)
      },
    },
    async record(name, act) {
      statements = []
      const marks = await act()
      acts[name] = { statements, marks }
      statements = undefined
    },
  }
}

function toJson(value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

/**
 * Sends the statements of an act again, as a node of that release does, with other values in the place of the marks.
 * Returns the rows of each statement.
 */
export async function replay(
  database: Database,
  act: RecordedAct | undefined,
  values: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>[][]> {
  if (act === undefined) throw new Error('the release has no such act')
  const results: Record<string, unknown>[][] = []
  for (const { text, values: given } of act.statements) {
    const changed = given.map((value) =>
      typeof value === 'string' ? replaceMarks(value, act, values) : value,
    )
    results.push((await database.query<Record<string, unknown>>(text, changed)).rows)
  }
  return results
}

function replaceMarks(
  text: string,
  { marks }: RecordedAct,
  values: Readonly<Record<string, string>>,
): string {
  return Object.entries(marks).reduce(
    (done, [name, mark]) => done.replaceAll(mark, values[name] ?? mark),
    text,
  )
}
