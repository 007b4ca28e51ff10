import type { CanonicalComparison, LoggedRequest, LoggedRequestDetails } from '../../api/portal.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { useLanguage } from '../../text/language.ts'
import { useRemarks } from '../../text/remarks.ts'
import { CHECKS_MS, MISTAKES_MS, REMEDIES_MS } from './help-ms.ts'

type Check = LoggedRequestDetails['checks'][number]
type Mistake = NonNullable<CanonicalComparison['mistake']>

/** Cause and remedy in the reader's language. The service explains in English. */
export function useHelp({ error, cause, remedy }: Pick<LoggedRequest, 'error' | 'cause' | 'remedy'>) {
  const isMalay = useLanguage() === 'ms'
  const say = useRemarks()
  const known = isMalay && error !== null ? CHECKS_MS[error] : undefined
  const reason = isMalay && error !== null && say(error) !== error ? say(error) : undefined
  return {
    cause: cause === null ? null : (known?.cause ?? reason ?? cause),
    remedy:
      remedy === null ? null : (known?.remedy ?? (isMalay ? REMEDIES_MS[error ?? ''] : undefined) ?? remedy),
  }
}

export function useCheckText(): (check: Check) => string {
  const isMalay = useLanguage() === 'ms'
  return ({ code, text }) => (isMalay ? (CHECKS_MS[code]?.text ?? text) : text)
}

export function useMistakeText(): (mistake: Mistake) => string {
  const isMalay = useLanguage() === 'ms'
  return ({ code, text }) => (isMalay ? MISTAKES_MS[code] : text)
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
