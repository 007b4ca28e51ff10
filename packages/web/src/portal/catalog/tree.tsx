import { PageLink } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import type { IconName } from '../../ui/icon.tsx'
import { Icon } from '../../ui/icon.tsx'
import { productsIn, treeOf } from './category-tree.ts'
import type { Editor } from './editor.ts'
import { CATALOG } from './messages.ts'

const ICONS: Readonly<Record<string, IconName>> = {
  MOBILE: 'phone',
  BILLS: 'bill',
  EDUCATION: 'cap',
  GAMES: 'game',
  GIFT_CARDS: 'gift',
  TRAVEL: 'globe',
  EWALLETS: 'wallet',
  VOUCHERS: 'pin',
  FINANCE: 'coin',
}

const PATH = '/portal/catalogue'

/** Groups and categories at the side; on narrow screens a select takes their place. */
export function Tree({ editor, current }: { editor: Editor; current: string | undefined }) {
  const text = useText(CATALOG)
  const branches = treeOf(editor.catalog, editor.draft)
  const countIn = (code: string) => productsIn(editor.catalog, editor.draft, code).length
  return (
    <nav className="panel tree" aria-label={text.groups}>
      {branches.map(({ group, categories }) => {
        const [first] = categories
        const isOpen = categories.some(({ code }) => code === current)
        return (
          <div key={group.code}>
            <PageLink className="grp" to={PATH} search={first === undefined ? {} : { category: first.code }}>
              <Icon name={ICONS[group.code] ?? 'catalog'} />
              <span className="cut">{group.name}</span>
              <span className="sub">{categories.reduce((sum, { code }) => sum + countIn(code), 0)}</span>
            </PageLink>
            {isOpen
              ? categories.map(({ code, name }) => (
                  <PageLink
                    key={code}
                    className="lv2"
                    to={PATH}
                    search={{ category: code }}
                    aria-current={code === current ? 'page' : undefined}
                  >
                    <span className="cut">{name}</span>
                    <span className="sub">{countIn(code)}</span>
                  </PageLink>
                ))
              : null}
          </div>
        )
      })}
    </nav>
  )
}
