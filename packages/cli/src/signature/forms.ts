/** Form-decodes a text; undefined when it is not valid percent-encoded UTF-8. */
export function tryFormDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** Tells whether a text is a SHA-256 digest in small hexadecimal letters. */
export function isHexDigest(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}
