// Rules that read a phone number as people write it.

const DIGITS_MIN = 7
/** Most digits of an international number (E.164). */
const DIGITS_MAX = 15

/**
 * Returns the digits of an international number. A number begins with + or 00 and any calling code, with this calling
 * code, or with a 0 of the country; undefined for any other, because which country it belongs to would be a guess.
 */
function digitsOf(value: string, callingCode: string): string | undefined {
  // In +60 (0)12 the 0 is for callers within the country.
  const bare = value.replace(/(\d[\s.-]*)\(0\)/, '$1').replace(/[\s().-]/g, '')
  const [, prefix, rest = ''] = /^(\+|00|0)?([1-9]\d*)$/.exec(bare) ?? []
  const isOurs = prefix === undefined && rest.startsWith(callingCode)
  const digits = prefix === '0' ? callingCode + rest : prefix !== undefined || isOurs ? rest : ''
  return digits.length >= DIGITS_MIN && digits.length <= DIGITS_MAX ? digits : undefined
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
