import { portal } from '../../api/portal.ts'
import { Forgot } from '../../people/forgot-form.tsx'

export function Page() {
  return (
    <Forgot
      audience="portal"
      request={(username) => portal.call('requestPortalPasswordReset', { body: { username } })}
    />
  )
}
