import type { PortalSetMailLanguageRequest } from '../../api/portal.generated.ts'
import { portal, portalKey, usePortal } from '../../api/portal.ts'
import { ACCOUNT } from '../../people/account-messages.ts'
import { LANGUAGES, useText } from '../../text/language.ts'
import { SelectField } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ActionProblem } from '../../ui/problem.tsx'
import { useAction } from '../../ui/use-action.ts'

type Language = PortalSetMailLanguageRequest['language']

const OFFERED = (Object.keys(LANGUAGES) as Language[]).map((value) => ({ value, label: LANGUAGES[value] }))

/** Language in which the service writes to the person. */
export function MailLanguagePanel() {
  const text = useText(ACCOUNT)
  const reading = usePortal('portalGetMailLanguage', {})
  const action = useAction<PortalSetMailLanguageRequest>({
    act: (body) => portal.call('portalSetMailLanguage', { body }),
    done: () => text.mailLanguageKept,
    refresh: [portalKey('portalGetMailLanguage')],
  })
  return (
    <Panel title={text.mails}>
      <Loaded reading={reading} bones={1}>
        {({ data }) => (
          <SelectField
            label={text.mailLanguage}
            value={data.language}
            disabled={action.isBusy}
            options={OFFERED}
            onValue={(value) => action.run({ language: value as Language })}
          />
        )}
      </Loaded>
      <ActionProblem error={action.error} />
    </Panel>
  )
}
