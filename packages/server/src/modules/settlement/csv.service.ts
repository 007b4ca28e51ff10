import type { CsvRecord, CsvStream } from './csv.rules.ts'
import { createCsvStream } from './csv.rules.ts'

/** Reads somebody's CSV file of any size in pieces, record by record, as the files of providers are read. */
export function openCsvStream(options: {
  readonly separator: string
  readonly onRecord: (record: CsvRecord) => void
  readonly onProblem: (line: number, message: string) => void
}): CsvStream {
  return createCsvStream(options)
}
