/** Kinds of names that options give. */
export const NAME_KINDS = [
  'reseller',
  'product',
  'routed product',
  'provider',
  'fulfilling provider',
  'settled provider',
  'price level',
  'category',
  'operator',
  'user',
] as const
export type NameKind = (typeof NAME_KINDS)[number]
