import { places } from './path.rules.ts'
import type { Reader } from './reading.rules.ts'
import { boolean, complain, isObject, needed, object, optional, text } from './reading.rules.ts'
import type { OutputPath, OutputReading, Path } from './types.ts'

// Reads where a success has its output.

export function outputPaths(found: OutputReading): Path[] {
  return Object.values(found).flatMap((each: OutputPath | null) => each?.paths ?? [])
}

const OUTPUT_PATH = { path: needed(places, []), required: optional(boolean, false) }

const longOutputPath: Reader<OutputPath> = object(OUTPUT_PATH, ({ path: paths, required }) => ({
  paths,
  isRequired: required,
}))

const outputPath: Reader<OutputPath> = (value, site) =>
  isObject(value) ? longOutputPath(value, site) : { paths: places(value, site), isRequired: false }

const EXPIRY_FORMAT = 'yyyyMMdd'

const dayFormat: Reader<string> = (value, site) => {
  const format = text(value, site)
  if (format === 'unix' || format === 'unix_ms') return format
  const counts = ['yyyy', 'MM', 'dd'].map((token) => format.split(token).length - 1)
  const strange = /[a-z]/i.test(format.replace(/yyyy|MM|dd|HH|mm|ss|SSS|[TZ]/g, ''))
  if (!strange && counts.every((count) => count === 1)) return format
  return complain(site, 'must have yyyy, MM and dd once each, or be unix or unix_ms', EXPIRY_FORMAT)
}

type ExpiryPath = NonNullable<OutputReading['expiry']>

const longExpiryPath: Reader<ExpiryPath> = object(
  { ...OUTPUT_PATH, format: optional(dayFormat, EXPIRY_FORMAT) },
  ({ path: paths, required, format }) => ({ paths, isRequired: required, format }),
)

const expiryPath: Reader<ExpiryPath> = (value, site) =>
  isObject(value)
    ? longExpiryPath(value, site)
    : { paths: places(value, site), isRequired: false, format: EXPIRY_FORMAT }

const OUTPUT = {
  serial_number: optional(outputPath, null),
  pin: optional(outputPath, null),
  expiry: optional(expiryPath, null),
  voucher_link: optional(outputPath, null),
  note: optional(outputPath, null),
}

/** Member of an answer that says what a success brought. */
export const output = optional(object(OUTPUT), {
  serialNumber: null,
  pin: null,
  expiry: null,
  voucherLink: null,
  note: null,
})
