import { createHash } from 'node:crypto'
import { PRODUCT_CODE_SOURCE } from '../../../lib/input/codes.ts'
import { pattern } from '../../../lib/input/fields.ts'

// Pictures that the service draws for products, groups and categories without their own: a coloured tile with
// letters of the code. Anyone who knows a code can ask for its picture, so it shows only the code: no name, and
// not whether such a product exists.

export const PICTURE_KINDS = ['products', 'groups', 'categories'] as const
export type PictureKind = (typeof PICTURE_KINDS)[number]

const FILE = new RegExp(`^(${PRODUCT_CODE_SOURCE})\\.svg$`)
const PATH = new RegExp(`^/images/(?:${PICTURE_KINDS.join('|')})/${PRODUCT_CODE_SOURCE}\\.svg$`)

export const PICTURE_FILE = pattern('must be the code and .svg', FILE)

/**
 * Returns the picture as the catalogue stores it: a path, because the service's address is not known until it
 * listens.
 */
export function picturePath(kind: PictureKind, code: string): string {
  return `/images/${kind}/${code}.svg`
}

export function isPicturePath(url: string): boolean {
  return PATH.test(url)
}

/** Draws a picture; undefined: there is no such picture. */
export function drawPicture(kind: string, file: string): string | undefined {
  const code = FILE.exec(file)?.[1]
  if (code === undefined || !PICTURE_KINDS.some((each) => each === kind)) return undefined
  const hue = createHash('sha256').update(`${kind} ${code}`).digest().readUInt16BE(0) % 360
  const shape =
    kind === 'products'
      ? '<rect width="96" height="96" rx="18" fill="{fill}"/>'
      : '<circle cx="48" cy="48" r="48" fill="{fill}"/>'
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96" role="img">',
    shape.replace('{fill}', `hsl(${hue} 45% 38%)`),
    '<text x="48" y="50" fill="#fff" font-family="system-ui, sans-serif" font-size="34" font-weight="600"',
    ` text-anchor="middle" dominant-baseline="middle">${lettersOf(code)}</text>`,
    '</svg>',
  ].join('')
}

/** Returns `BP` for BILL_PAYMENT, `NO` for NOVA: only letters and digits, so that no escaping is needed. */
function lettersOf(code: string): string {
  const words = code
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== '')
  const [first = '', second] = words
  return second === undefined ? first.slice(0, 2) : `${first.slice(0, 1)}${second.slice(0, 1)}`
}
