import type { DestinationStream, Logger } from 'pino'
import { pino } from 'pino'

/**
 * Paths that are removed from log lines. The log is JSON lines on standard output, one a request. Secrets must not be
 * in it: no line carries bodies, queries or credentials, and these paths are removed if one ever does.
 */
const REDACTED = [
  'headers',
  '*.headers',
  'body',
  '*.body',
  '*.password',
  '*.secret',
  '*.signing_secret',
  '*.token',
]

export const LOG_BUFFER_BYTES = 4_096

export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED, remove: true },
    },
    // Lines are buffered for an instant instead of one write each, so that a request costs no write of its own.
    destination ?? pino.destination({ fd: 1, sync: false, minLength: LOG_BUFFER_BYTES, periodicFlush: 200 }),
  )
}
