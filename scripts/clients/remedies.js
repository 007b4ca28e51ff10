import { AUTHENTICATION_CODES } from '../../packages/server/dist/http/reference/codes.js'
import { PAYMENT_REMARKS } from '../../packages/server/dist/http/reference/remarks.js'

/** Lists the tokens with their advice; the advice of a rejection where a failure has the same token. */
export function listRemedies() {
  const remedies = new Map()
  const keep = (token, remedy) => {
    if (!remedies.has(token)) remedies.set(token, remedy)
  }
  for (const { code, remedy } of AUTHENTICATION_CODES) keep(code, remedy)
  for (const { remarks, remedy } of PAYMENT_REMARKS) keep(remarks, remedy)
  return [...remedies]
}
