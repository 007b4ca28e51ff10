import { parseWebUrl } from '../../../lib/input/urls.ts'

const MASK = '****'
const SHOWN_END_LENGTH = 4
/** Length from which the end is shown. The end of a shorter secret would be most of it. */
const SHOWN_END_FROM_LENGTH = 12

/** Shows enough to compare with what a customer holds, and too little to use. '' stays ''. */
export function maskSecret(secret: string): string {
  if (secret === '') return ''
  return secret.length < SHOWN_END_FROM_LENGTH ? MASK : `${MASK}${secret.slice(-SHOWN_END_LENGTH)}`
}

/** Shows the host that a link leads to, without the part that is worth money. */
export function maskLink(link: string): string {
  if (link === '') return ''
  const url = parseWebUrl(link)
  return url === undefined ? MASK : `${url.origin}/${MASK}`
}
