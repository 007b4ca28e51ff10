// Session of a user at the portal, for the request log.

export type LoggedRequest = {
  readonly id: string
  readonly at: string
  readonly request_id: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly duration_ms: number
  readonly error: string | null
  readonly message: string | null
  readonly remedy: string | null
}

export type PortalSession = {
  /** Lists the newest requests first. */
  listRequests(limit: number, isFailedOnly: boolean): Promise<readonly LoggedRequest[]>
  close(): Promise<void>
}

type SignIn = { readonly username: string; readonly password: string; readonly code?: string }

/** Signs in. `askCode` is called when the user has a second factor. */
export async function openPortal(
  baseUrl: string,
  user: SignIn,
  askCode: () => Promise<string>,
): Promise<PortalSession> {
  const sessionUrl = `${baseUrl}/portal/v1/session`
  const answer = await fetch(sessionUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(user),
  })
  const body = (await answer.json()) as { error?: string; message?: string; csrf_token?: string }
  if (body.error === 'code_required' && user.code === undefined) {
    return openPortal(baseUrl, { ...user, code: await askCode() }, askCode)
  }
  if (!answer.ok) throw new Error(body.message ?? `The portal answered ${answer.status}.`)
  const cookie = answer.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ')
  return {
    async listRequests(limit, isFailedOnly) {
      const query = `limit=${limit}${isFailedOnly ? '&failed=true' : ''}`
      const page = await fetch(`${baseUrl}/portal/v1/request-log?${query}`, { headers: { cookie } })
      const found = (await page.json()) as { data?: LoggedRequest[]; message?: string }
      if (!page.ok || found.data === undefined) throw new Error(found.message ?? `${page.status}`)
      return found.data
    },
    async close() {
      const headers = { cookie, 'X-CSRF-Token': body.csrf_token ?? '' }
      await fetch(sessionUrl, { method: 'DELETE', headers }).catch(() => {})
    },
  }
}
