import { isE164, readWritten } from '../../../lib/numbers/read.ts'

// Rules that write a phone number as a supplier wants it.

/**
 * Returns the digits of an international number. A number begins with + or 00 and any calling code, with this calling
 * code, or with a 0 of the country; undefined for any other, because which country it belongs to would be a guess.
 */
function digitsOf(value: string, callingCode: string): string | undefined {
  const written = readWritten(value, [callingCode])
  if (written === undefined) return undefined
  const { isInternational, digits } = written
  const isWhole = isInternational || digits.startsWith(callingCode)
  const number = !isWhole && digits.startsWith('0') ? `${callingCode}${digits.slice(1)}` : digits
  return (isWhole || number !== digits) && isE164(number) ? number : undefined
}

/** Returns +60123456789; undefined when it is no number that can be read. */
export function internationalOf(value: string, callingCode: string): string | undefined {
  const digits = digitsOf(value, callingCode)
  return digits === undefined ? undefined : `+${digits}`
}

/** Returns 0123456789; undefined when it is no number of that country. */
export function nationalOf(value: string, callingCode: string): string | undefined {
  const digits = digitsOf(value, callingCode)
  return digits?.startsWith(callingCode) ? `0${digits.slice(callingCode.length)}` : undefined
}
