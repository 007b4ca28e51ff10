import type { DestinationStream, Logger } from 'pino'
import { pino } from 'pino'

/**
 * JSON lines on standard output, one a request. Secrets have no business in a log: nothing that is logged
 * carries bodies, queries or credentials, and these paths are removed should anyone try.
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
    // Lines are gathered for an instant instead of one write each: the log is no round trip per request.
    destination ?? pino.destination({ fd: 1, sync: false, minLength: LOG_BUFFER_BYTES, periodicFlush: 200 }),
  )
}
