/** Makes a refid that nobody has used. `getRandomValues` works without TLS too, unlike `randomUUID`. */
export function newRefid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  return `portal-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
