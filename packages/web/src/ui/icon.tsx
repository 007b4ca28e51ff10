/** Icon beside a word; screen readers hear the word alone. */
export function Icon({ name, small = false }: { name: IconName; small?: boolean }) {
  return (
    <svg className={small ? 'i s' : 'i'} viewBox="0 0 16 16" aria-hidden="true">
      <path d={ICON_PATHS[name]} />
    </svg>
  )
}

/** Sign of the service: an awning above a counter. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 24 24" aria-hidden="true">
      <path
        d="M2.5 4.2A1.2 1.2 0 0 1 3.7 3h16.6a1.2 1.2 0 0 1 1.2 1.2V6h-19zM2.5 7.5h6.33v4.4a3.17 3.17 0 0 1-6.33 0zM15.17 7.5h6.33v4.4a3.17 3.17 0 0 1-6.33 0z"
        fill="currentColor"
      />
      <path d="M9.6 8.25h4.8v3.7a2.4 2.4 0 0 1-4.8 0z" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path
        d="M4.5 17.3V21h15v-3.7"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

/** Icons on a grid of 16, drawn with one stroke. The value is the path. */
export const ICON_PATHS = {
  arrow: 'M2.5 8h11M9.5 4l4 4-4 4',
  ban: 'M8 13.8A5.8 5.8 0 1 0 8 2.2a5.8 5.8 0 0 0 0 11.6zM4 12l8-8',
  bell: 'M4 7a4 4 0 0 1 8 0c0 3 1.3 4 1.3 4H2.7S4 10 4 7zM6.5 13.3c.4.5.9.7 1.5.7s1.1-.2 1.5-.7',
  bill: 'M4 2h8v12l-2-1.3L8 14l-2-1.3L4 14zM6.3 5.5h3.4M6.3 8.5h2',
  book: 'M3 2.5h8.5a1 1 0 0 1 1 1v10H4a1 1 0 0 1-1-1zM3 11.5a1 1 0 0 1 1-1h8.5M6 5.5h3.5',
  cap: 'M1.5 6 8 3l6.5 3L8 9zM4 7.3v3.5c1 1 2.4 1.5 4 1.5s3-.5 4-1.5V7.3',
  cases: 'M2.5 3.5h11v7.5H8l-3 2.6V11H2.5zM5.3 6.2h5.4M5.3 8.4h3',
  catalog: 'M8.2 2.2h5.1a.5.5 0 0 1 .5.5v5.1l-6 6L2.2 8.2zM11 5h.01',
  check: 'M3 8.5 6.4 12 13 4.5',
  chevronDown: 'M3.5 6 8 10.5 12.5 6',
  chevronLeft: 'M10 3.5 5.5 8l4.5 4.5',
  chevronRight: 'M6 3.5 10.5 8 6 12.5',
  clock: 'M8 13.8A5.8 5.8 0 1 0 8 2.2a5.8 5.8 0 0 0 0 11.6zM8 4.8V8l2.2 1.6',
  coin: 'M8 13.8A5.8 5.8 0 1 0 8 2.2a5.8 5.8 0 0 0 0 11.6zM10 6.2c-.3-.8-1-1.2-2-1.2-1.2 0-2 .6-2 1.5 0 2.1 4 .9 4 3 0 .9-.8 1.5-2 1.5-1 0-1.7-.4-2-1.2M8 4v1M8 11v1',
  copy: 'M5.5 5.5h8v8h-8zM3 10.5h-.5v-8h8V3',
  developers: 'M5.5 4 1.8 8l3.7 4M10.5 4l3.7 4-3.7 4',
  down: 'M8 2.5v8M4.5 7.5 8 11l3.5-3.5M3 13.5h10',
  drag: 'M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01',
  edit: 'M10.5 3 13 5.5 6 12.5l-3.2.7.7-3.2z',
  eye: 'M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8zM8 9.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6z',
  flag: 'M3.5 14V2.5h8l-1.8 3 1.8 3h-8',
  game: 'M5 4.8h6a3.5 3.5 0 0 1 3.4 4.5c-.5 1.9-1.4 3-2.4 3-1.3 0-1.5-1.5-2.5-1.5h-3c-1 0-1.2 1.5-2.5 1.5-1 0-1.9-1.1-2.4-3A3.5 3.5 0 0 1 5 4.8zM5.5 6.8v2M4.5 7.8h2M10.5 7h.01M11.5 8.8h.01',
  gift: 'M2.5 5.5h11v3h-11zM3.5 8.5h9v5h-9zM8 5.5v8M8 5.5S5 5.3 5 3.5 8 3 8 5.5zM8 5.5s3-.2 3-2S8 3 8 5.5z',
  globe:
    'M8 13.8A5.8 5.8 0 1 0 8 2.2a5.8 5.8 0 0 0 0 11.6zM2.5 8h11M8 2.2c2 2 2.4 3.8 2.4 5.8S10 11.8 8 13.8M8 2.2C6 4.2 5.6 6 5.6 8S6 11.8 8 13.8',
  help: 'M8 13.8A5.8 5.8 0 1 0 8 2.2a5.8 5.8 0 0 0 0 11.6zM6.4 6.3a1.7 1.7 0 1 1 2.6 1.5c-.7.4-1 .8-1 1.5M8 11.5h.01',
  inbox: 'M2.5 9.5 4.3 3h7.4l1.8 6.5v4h-11zM2.5 9.5h3.3l.8 1.5h2.8l.8-1.5h3.3',
  link: 'M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2.3-2.3a2.6 2.6 0 0 0-3.7-3.7l-.8.8M9.2 6.8a2.6 2.6 0 0 0-3.7 0L3.2 9.1a2.6 2.6 0 0 0 3.7 3.7l.8-.8',
  lock: 'M4 7.2h8v6.3H4zM5.7 7.2V5a2.3 2.3 0 0 1 4.6 0v2.2',
  log: 'M3 3.5h10M3 6.5h10M3 9.5h6M3 12.5h4',
  moon: 'M13.3 9.6A5.6 5.6 0 0 1 6.4 2.7a5.6 5.6 0 1 0 6.9 6.9z',
  more: 'M3 5h10M3 8h10M3 11h10',
  overview: 'M2.5 2.5h4.5v5h-4.5zM9 2.5h4.5v3H9zM9 7.5h4.5v6H9zM2.5 9.5h4.5v4h-4.5z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  payments: 'M2.5 5h9.5M9.5 2.5 12 5 9.5 7.5M13.5 11H4M6.5 8.5 4 11l2.5 2.5',
  phone: 'M5 1.8h6v12.4H5zM7.5 12h1',
  pin: 'M2.5 4.5h11v7h-11zM5 8h.01M8 8h.01M11 8h.01',
  plug: 'M5.5 2v3M10.5 2v3M3.8 5h8.4v2.6A4.2 4.2 0 0 1 8 11.8 4.2 4.2 0 0 1 3.8 7.6zM8 11.8V14.5',
  plus: 'M8 3v10M3 8h10',
  print: 'M4.5 6V2.5h7V6M4.5 11.5h-2V6h11v5.5h-2M4.5 9.5h7v4h-7z',
  refresh: 'M13.2 6.5A5.5 5.5 0 0 0 3.4 5M2.8 9.5a5.5 5.5 0 0 0 9.8 1.5M13.5 3v3.5H10M2.5 13V9.5H6',
  route:
    'M4 4.5a1.5 1.5 0 1 0 0-.01M12 11.5a1.5 1.5 0 1 0 0-.01M5.5 4.5H10a2 2 0 0 1 0 4H6a2 2 0 0 0 0 3.5h4.5',
  scale:
    'M5.3 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM1.8 13c.2-2.3 1.6-3.6 3.5-3.6 1 0 1.9.4 2.5 1.1M9.3 11.3l1.7 1.7 3.2-3.7',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.4 10.4 13.8 13.8',
  sell: 'M2.5 6.5 3.6 3h8.8l1.1 3.5M2.5 6.5a1.83 1.83 0 0 0 3.67 0 1.83 1.83 0 0 0 3.66 0 1.83 1.83 0 0 0 3.67 0M3.5 8.8V13h9V8.8M6.5 13v-2.5h3V13',
  send: 'M14 2 1.8 6.9l4.8 2.3M14 2 9.3 14.2 6.6 9.2M14 2 6.6 9.2',
  statement: 'M4 1.8h8v12.4l-2-1.2-2 1.2-2-1.2-2 1.2zM6.3 5.3h3.4M6.3 8.3h3.4',
  team: 'M6 7.2a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6zM1.8 13.2c.3-2.4 2-3.8 4.2-3.8s3.9 1.4 4.2 3.8M10.7 7a2 2 0 1 0-.8-3.9M11.7 9.6c1.4.4 2.3 1.6 2.5 3.3',
  tree: 'M3 3.5h4M3 3.5v9M3 8h4M3 12.5h4M9.5 3.5h3.5M9.5 8h3.5M9.5 12.5h3.5',
  undo: 'M5.5 3 2.5 6l3 3M2.5 6H9a4 4 0 0 1 0 8H6',
  reorder: 'M5 6l3-3 3 3M5 10l3 3 3-3',
  wallet: 'M2.5 4.5h11v8.5h-11zM2.5 4.5 10.5 2.3v2.2M10.8 8.7h.01',
  close: 'M4 4l8 8M12 4l-8 8',
} as const

export type IconName = keyof typeof ICON_PATHS
