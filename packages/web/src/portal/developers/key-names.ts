import type { APIKey } from '../../api/portal.generated.ts'

const BEGINNING = 11
const END = 4

/** Beginning and end of a key, enough to tell it from others. */
export function shortKey(key: string): string {
  return key.length <= BEGINNING + END ? key : `${key.slice(0, BEGINNING)}…${key.slice(-END)}`
}

/** Name of a key; one without a label is called by its beginning and end. */
export function keyName({ label, key }: Pick<APIKey, 'label' | 'key'>): string {
  return label === '' ? shortKey(key) : label
}
