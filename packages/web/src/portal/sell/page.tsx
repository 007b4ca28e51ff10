import { usePortal } from '../../api/portal.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/panel.tsx'
import { PORTAL } from '../messages.ts'
import { SELL } from './messages.ts'
import { Picker } from './picker.tsx'
import { GoingOn } from './sale-view.tsx'
import './sell.css'

/** Products to sell, by group, category and search. */
export function Page() {
  const text = useText(SELL)
  const pages = useText(PORTAL)
  const reading = usePortal('portalGetSellCatalog', {})
  return (
    <>
      <PageHead
        title={pages.sell}
        about={text.about}
        actions={
          <PageLink className={buttonClass({})} to="/portal/bulk">
            {text.bulk}
          </PageLink>
        }
      />
      <GoingOn />
      <Loaded reading={reading} bones={12}>
        {(catalog) => <Picker catalog={catalog} />}
      </Loaded>
    </>
  )
}
