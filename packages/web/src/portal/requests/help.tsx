import type { CanonicalComparison, LoggedRequest, LoggedRequestDetails } from '../../api/portal.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { useLanguage, useText } from '../../text/language.ts'
import { useRemarks } from '../../text/remarks.ts'
import { HELP } from './help-messages.ts'

type Check = LoggedRequestDetails['checks'][number]
type Mistake = NonNullable<CanonicalComparison['mistake']>

/** Cause and remedy in the reader's language. The service explains in English. */
export function useHelp({ error, cause, remedy }: Pick<LoggedRequest, 'error' | 'cause' | 'remedy'>) {
  const { checks, remedies } = useText(HELP)
  const say = useRemarks()
  const code = error ?? ''
  const isEnglish = useLanguage() === 'en'
  const reason = isEnglish || say(code) === code ? undefined : say(code)
  return {
    cause: cause === null ? null : (checks[code]?.cause ?? reason ?? cause),
    remedy: remedy === null ? null : (checks[code]?.remedy ?? remedies[code] ?? remedy),
  }
}

export function useCheckText(): (check: Check) => string {
  const { checks } = useText(HELP)
  return ({ code, text }) => checks[code]?.text ?? text
}

export function useMistakeText(): (mistake: Mistake) => string {
  const { mistakes } = useText(HELP)
  return ({ code, text }) => (Object.hasOwn(mistakes, code) ? mistakes[code] : text)
}

/** Text in which `words between backticks` are code. */
export function Marked({ children }: { children: string }) {
  return children.split('`').map((each, index) =>
    index % 2 === 0 ? (
      each
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have a fixed order.
      <span className="mono" key={index}>
        {each}
      </span>
    ),
  )
}

/** Reference of the payment that was asked for; it leads to the payment where one was made. */
export function PaymentOf({
  request: { refid, payment_id: id },
}: {
  request: Pick<LoggedRequest, 'refid' | 'payment_id'>
}) {
  if (refid === null) return null
  const name = <span className="mono">{refid}</span>
  return id === null ? (
    name
  ) : (
    <PageLink className="link" to={`/portal/payments/${id}`}>
      {name}
    </PageLink>
  )
}
