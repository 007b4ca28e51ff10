// Text, Base64 and hexadecimal with web standards alone.

export type Bytes = Uint8Array<ArrayBuffer>

export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text)
}

/** Returns bytes that Web Crypto takes: a view on shared memory is copied. */
export function bytesOf(body: string | Uint8Array | undefined): Bytes {
  if (body === undefined) return new Uint8Array(0)
  return typeof body === 'string' ? utf8(body) : new Uint8Array(body)
}

export function toBase64(bytes: ArrayBuffer): string {
  let text = ''
  for (const byte of new Uint8Array(bytes)) text += String.fromCharCode(byte)
  return btoa(text)
}

/** Decodes Base64 with or without padding; undefined: it is not Base64. */
export function fromBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** Decodes hexadecimal in small letters; undefined: it is not that. */
export function fromHex(text: string): Bytes | undefined {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) return undefined
  return Uint8Array.from({ length: text.length / 2 }, (_, index) =>
    Number.parseInt(text.slice(index * 2, index * 2 + 2), 16),
  )
}

export function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function hmacKey(secret: Bytes): ReturnType<typeof crypto.subtle.importKey> {
  return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}
