import type { Html } from './html.ts'
import { html } from './html.ts'
import { STYLE } from './style.ts'

// Icon of a shop's awning. It is inside the page, so that no browser asks for /favicon.ico.
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E" +
  "%3Cpath fill='%23c2571f' d='M2 2h12l1 5a2 2 0 0 1-4 0 2 2 0 0 1-3 0 2 2 0 0 1-3 0 2 2 0 0 1-4 0z'/%3E" +
  "%3Cpath fill='%230b7d73' d='M3 10h10v5H3z'/%3E%3C/svg%3E"

export type Page = {
  readonly title: string
  readonly description: string
  readonly body: Html
  /** Language of its words; left out: English. */
  readonly lang?: string
}

export function renderPage(page: Page): string {
  return html`<!doctype html>
<html lang="${page.lang ?? 'en'}">
<head>
<meta charset="utf-8">
<title>${page.title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${page.description}">
<link rel="icon" href="${ICON}">
<style>${{ markup: STYLE }}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
${page.body}
</body>
</html>
`.markup
}
