import { useState } from 'react'
import type { Catalog } from '../../api/portal.generated.ts'
import { usePortal, usePortalAhead } from '../../api/portal.ts'
import { PageLink, useFilters, useParam } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Switch } from '../../ui/field.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { PORTAL } from '../messages.ts'
import { useMember } from '../session.ts'
import { BasketHint } from './basket/panel.tsx'
import { useBasket } from './basket/store.ts'
import { GoingOn } from './going-on.tsx'
import { SELL } from './messages.ts'
import { Picker } from './picker.tsx'
import { ProductSale } from './product-sale.tsx'
import './sell.css'

/** Form of one product, drawn from its definition, and the till beside it. */
export function Page() {
  const code = useParam('product')
  const [search] = useFilters()
  const reading = usePortal('portalGetSellCatalog', {})
  usePortalAhead('portalGetNetwork', { query: { product: code } })
  return (
    <Loaded reading={reading} bones={12}>
      {(catalog) => <Counter key={`${code} ${search.biller ?? ''}`} catalog={catalog} code={code} />}
    </Loaded>
  )
}

function Counter({ catalog, code }: { catalog: Catalog; code: string }) {
  const text = useText(SELL)
  const pages = useText(PORTAL)
  const [search] = useFilters()
  const [hasDefinitions, setDefinitions] = useState(false)
  const [typed, setTyped] = useState('')
  const product = catalog.products[code]
  const { reseller } = useMember()
  const basket = useBasket(reseller.account)
  return (
    <>
      <PageHead
        title={pages.sell}
        about={text.about}
        actions={
          <span className="row small mid wide-only">
            <Switch label={text.definitions} isOn={hasDefinitions} onToggle={setDefinitions} />
            {text.definitions}
          </span>
        }
      />
      <GoingOn except={code} />
      {basket === undefined ? null : <BasketHint basket={basket} />}
      <div className="till">
        <Picker
          catalog={catalog}
          search={typed}
          onSearch={setTyped}
          current={code}
          {...(search.biller === undefined ? {} : { currentBiller: search.biller })}
        />
        {product === undefined ? (
          <Panel>
            <Empty
              icon="sell"
              title={text.unknownProduct}
              about={text.unknownProductAbout}
              action={
                <PageLink className={buttonClass({ size: 'sm' })} to="/portal/sell">
                  {text.pickAnother}
                </PageLink>
              }
            />
          </Panel>
        ) : (
          <ProductSale product={product} hasDefinitions={hasDefinitions} />
        )}
      </div>
    </>
  )
}
