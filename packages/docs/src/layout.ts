import type { Html } from './html.generated.ts'
import { html } from './html.generated.ts'
import { twinOf, urlOf } from './links.ts'
import type { Heading } from './markdown.ts'
import { GROUPS } from './navigation.ts'
import type { Page } from './page.ts'

/** Addresses of the files that every page loads. */
export type Assets = {
  readonly style: string
  readonly script: string
  readonly theme: string
  readonly font: string
  readonly icon: string
  readonly index: string
}

export type Frame = { readonly pages: readonly Page[]; readonly assets: Assets; readonly version: string }

export type Content = { readonly markup: string; readonly headings: readonly Heading[] }

/** Renders the whole page. `{base_url}` in it becomes the service's own address when it is served. */
export function renderPage(page: Page, content: Content, frame: Frame): string {
  const { assets } = frame
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.path === 'index' ? 'Warung documentation' : `${page.title} · Warung documentation`}</title>
<meta name="description" content="${page.description}">
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="alternate" type="text/markdown" href="${twinOf(page.path)}">
<script src="${assets.theme}"></script>
<link rel="preload" href="${assets.font}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${assets.style}">
<script type="module" src="${assets.script}"></script>
</head>
<body data-index="${assets.index}">
<div class="awning"></div>
<a class="skip" href="#content">Skip to the content</a>
${header()}
<div class="frame">
<nav class="side" id="menu" aria-label="Documentation">
<p class="close"><a href="#content">Close the menu</a></p>
${GROUPS.map((group) => renderGroup(group, page, frame))}
</nav>
<main id="content" tabindex="-1">
${contentsInPage(content.headings)}
<article>
${{ markup: content.markup }}${page.form}
</article>
${pager(page, frame)}
${footer(page, frame)}
</main>
${contentsBeside(content.headings)}
</div>
</body>
</html>
`.markup
}

function header(): Html {
  return html`<header class="top">
<a class="brand" href="/docs">Warung <span>docs</span></a>
<form class="search" role="search" hidden>
<input type="search" id="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list">
<kbd aria-hidden="true">/</kbd>
<ul id="found" role="listbox" aria-label="Results" hidden></ul>
<p class="hide" role="status" id="found-count"></p>
</form>
<span class="env staging-only">Staging</span>
<a class="top-link" href="/portal">Portal</a>
<button type="button" class="button quiet theme" hidden>Theme</button>
<a class="menu-link" href="#menu">Menu</a>
</header>`
}

const SHORT: ReadonlySet<string> = new Set(['start', 'guides'])

function renderGroup(group: (typeof GROUPS)[number], page: Page, { pages }: Frame): Html {
  const own = pages.filter((each) => each.group === group.id)
  const isOpen = page.group === group.id
  // Only the open group is written out, and for integrators their first two: hundreds of links help nobody.
  const isListed = isOpen || (SHORT.has(group.id) && SHORT.has(page.group))
  if (!isListed) {
    const [first] = own
    return html`<p class="group"><a href="${urlOf(first?.path ?? 'index')}">${group.title}</a></p>\n`
  }
  const headings = [...new Set(own.map(({ heading }) => heading))]
  return html`<p class="group">${group.title}</p>
${headings.map(
  (heading) => html`${heading !== '' && html`<p class="heading">${heading}</p>\n`}<ul>
${own.filter((each) => each.heading === heading).map((each) => renderLink(each, page))}</ul>
`,
)}`
}

function renderLink(page: Page, current: Page): Html {
  const mark =
    page.method === undefined
      ? undefined
      : html`<span class="method ${page.method.toLowerCase()}">${page.method}</span> `
  const state = page.path === current.path ? html` aria-current="page"` : undefined
  return html`<li><a href="${urlOf(page.path)}"${state}>${mark}${page.title}</a></li>\n`
}

function listed(headings: readonly Heading[]): readonly Heading[] {
  return headings.filter(({ depth }) => depth === 2 || depth === 3)
}

function contentsList(headings: readonly Heading[]): Html {
  return html`<ul>
${listed(headings).map(({ depth, id, text }) => html`<li class="depth-${depth}"><a href="#${id}">${text}</a></li>\n`)}</ul>`
}

const CONTENTS_FROM = 3

function contentsInPage(headings: readonly Heading[]): Html | undefined {
  if (listed(headings).length < CONTENTS_FROM) return undefined
  return html`<details class="contents-in"><summary>On this page</summary>
<nav aria-label="On this page, folded">${contentsList(headings)}</nav></details>`
}

function contentsBeside(headings: readonly Heading[]): Html | undefined {
  if (listed(headings).length < CONTENTS_FROM) return undefined
  return html`<nav class="contents" aria-label="On this page"><p>On this page</p>
${contentsList(headings)}</nav>`
}

function pager(page: Page, { pages }: Frame): Html {
  const at = pages.findIndex(({ path }) => path === page.path)
  const before = pages[at - 1]
  const after = pages[at + 1]
  const link = (target: Page | undefined, word: string, rel: string) =>
    target === undefined
      ? html`<span></span>`
      : html`<a rel="${rel}" href="${urlOf(target.path)}"><span>${word}</span> ${target.title}</a>`
  return html`<nav class="pager" aria-label="Previous and next">${link(before, 'Previous', 'prev')}${link(after, 'Next', 'next')}</nav>`
}

function footer(page: Page, { version }: Frame): Html {
  return html`<footer><p>Warung ${version} · <a href="${twinOf(page.path)}">This page as Markdown</a> · <a href="/openapi.json">openapi.json</a> · <a href="/llms.txt">llms.txt</a></p></footer>`
}
