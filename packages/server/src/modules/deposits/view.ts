import { Type } from 'typebox'
import type { DepositRequest } from './types.ts'

const EXTENSIONS = { jpeg: 'jpg', pdf: 'pdf', png: 'png', webp: 'webp' } as const

/**
 * Headers of a slip. Its content comes from outside, so a browser only saves it: the type says nothing about it, and the
 * name is ours.
 */
export function slipHeaders({ id, slip }: Pick<DepositRequest, 'id' | 'slip'>): Record<string, string> {
  return {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': `attachment; filename="slip-${id}.${EXTENSIONS[slip.kind]}"`,
    'Content-Security-Policy': "default-src 'none'; sandbox",
  }
}

export const SlipFile = Type.String({
  contentMediaType: 'application/octet-stream',
  description: 'The file as it was sent; its kind is in the request',
})
