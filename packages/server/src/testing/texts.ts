import fc from 'fast-check'

/** Any character, as a unit of `fc.string`. For its unit `binary`, fast-check fills a map of a million entries. */
export const CHARACTER = fc
  .integer({ min: 0, max: 0x10_ffff })
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
