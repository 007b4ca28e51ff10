import { operator } from '../../api/operator.ts'
import { Forgot } from '../../people/forgot-form.tsx'

export function Page() {
  return (
    <Forgot
      audience="operator"
      request={(email) => operator.call('requestOperatorPasswordReset', { body: { email } })}
    />
  )
}
