import { createHash } from 'node:crypto'

/** Style of our pages. Their policy allows this style alone, by its hash. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #fdfcf9;
  --raised: #f4f0e8;
  --text: #211e1a;
  --quiet: #5f584d;
  --line: #ddd5c7;
  --accent: #93350f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #181613;
    --raised: #23201b;
    --text: #ebe6dc;
    --quiet: #b5ac9d;
    --line: #3d382f;
    --accent: #f3a873;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  background: var(--page);
  color: var(--text);
  font: 1rem/1.6 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  overflow-wrap: break-word;
}
code, pre { font-family: ui-monospace, "Cascadia Code", "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code { font-size: .875em; }
p code, li code, td code { background: var(--raised); padding: .1em .3em; border-radius: .25em; }
pre {
  margin: 1rem 0;
  padding: .875rem 1rem;
  overflow-x: auto;
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: .5rem;
  line-height: 1.5;
  tab-size: 2;
}
pre code { font-size: .8125rem; background: none; padding: 0; }
a { color: var(--accent); text-underline-offset: .15em; }
a:hover { text-decoration-thickness: .125em; }
:focus-visible { outline: .1875rem solid var(--accent); outline-offset: .125rem; border-radius: .125rem; }
h1, h2, h3 { line-height: 1.25; margin: 2.25rem 0 .75rem; text-wrap: balance; }
h1 { font-size: 2rem; margin-top: 0; letter-spacing: -.01em; }
h2 { font-size: 1.5rem; margin-top: 3.5rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.1875rem; }
p { margin: 0 0 1rem; }
ul, ol { margin: 0 0 1rem; padding-left: 1.375rem; }
li { margin-bottom: .375rem; }
table { width: 100%; border-collapse: collapse; margin: .75rem 0 1.5rem; table-layout: fixed; }
th, td { padding: .625rem .75rem .625rem 0; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
tbody th { font-weight: 500; overflow-wrap: anywhere; }
thead th { font-size: .8125rem; font-weight: 600; color: var(--quiet); border-top: 0; padding-bottom: .375rem; }
thead th:first-child { width: 38%; }
td p:last-child { margin-bottom: 0; }
td p { margin-bottom: .375rem; }
caption, .skip:not(:focus) {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
.skip:focus { position: fixed; top: .5rem; left: .5rem; padding: .5rem 1rem; background: var(--page); z-index: 2; }
footer, .quiet { color: var(--quiet); font-size: .875rem; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .375rem 1.25rem; margin: 1.5rem 0; }
.facts dt { color: var(--quiet); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.links { list-style: none; padding: 0; }
label { display: block; font-weight: 500; margin-bottom: .25rem; }
input {
  font: inherit; color: inherit; background: var(--page); width: 100%; max-width: 24rem; padding: .5rem .75rem;
  border: 1px solid var(--quiet); border-radius: .375rem;
}
button {
  font: inherit; font-weight: 600; color: var(--page); background: var(--accent); padding: .5rem 1.25rem;
  border: 0; border-radius: .375rem; cursor: pointer;
}
.links li { padding: .75rem 0; border-top: 1px solid var(--line); margin: 0; }
.links p { margin: 0; }
main { max-width: 48rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; min-width: 0; }
footer { margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--line); }
@media print {
  .skip { display: none; }
  pre { white-space: pre-wrap; }
}
`

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** Content policy of the pages: no script and no outside request, whatever a page contains. */
export const PAGE_POLICY = pagePolicy([])

/** Builds the content policy of a page that needs more than its style, such as one script by its hash. */
export function pagePolicy(more: readonly string[]): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...more,
  ].join('; ')
}
