import type { Environment } from '../../config.ts'
import type { GuideSection } from '../reference/guide.ts'
import { guideSections } from '../reference/guide.ts'
import type { Html } from '../reference/html.ts'
import { html, prose } from '../reference/html.ts'
import type { LocatedOperation } from '../reference/operation.ts'
import {
  anchorOf,
  listOperations,
  methodBadge,
  renderOperation,
  renderSharedSchema,
} from '../reference/operation.ts'
import { renderPage } from '../reference/page.ts'
import type { OpenApiDocument } from './openapi.ts'

export type ReferenceOptions = { readonly environment: Environment }

type Group = { readonly id: string; readonly name: string; readonly operations: readonly LocatedOperation[] }

/** Renders the whole reference as one page, without scripts and without anything loaded from elsewhere. */
export function renderReference(document: OpenApiDocument, options: ReferenceOptions): string {
  const guide = guideSections({
    baseUrl: document.servers[0]?.url ?? '',
    environment: options.environment,
  })
  const groups = groupByTag(document)
  const links = renderLinks(guide, groups)
  const body = html`<div class="menu"><details><summary>Contents</summary>
<nav aria-label="Contents">${links}</nav></details></div>
<div class="frame">
<nav class="side" aria-label="Contents">${links}</nav>
<main id="content" tabindex="-1">
<h1>${document.info.title} API reference</h1>
<p class="quiet">Version ${document.info.version}, ${options.environment}. For machines:
<a href="/openapi.json">openapi.json</a>.</p>
${prose(document.info.description.split('\n\n')[0])}
${guide.map(renderSection)}${groups.map((group) => renderGroup(group, document))}
${renderSchemas(document)}
<footer>${document.info.title} ${document.info.version}, ${document.info.license.name}</footer>
</main>
</div>`
  return renderPage({
    title: `${document.info.title} API reference`,
    description: 'How to sign requests, and every operation with its parameters, answers and errors',
    body,
  })
}

function groupByTag(document: OpenApiDocument): Group[] {
  const placed = listOperations(document)
  return document.tags.map(({ name }) => ({
    id: `tag-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`,
    name,
    operations: placed.filter(({ operation }) => operation.tags.includes(name)),
  }))
}

function renderLinks(guide: readonly GuideSection[], groups: readonly Group[]): Html {
  const sections = guide.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)
  const operations = groups.map((group) => {
    const items = group.operations.map(
      ({ method, operation }) =>
        html`<li><a href="#${anchorOf(operation)}">${methodBadge(method)} ${operation.summary}</a></li>\n`,
    )
    return html`<p class="nav-title">${group.name}</p>\n<ul>${items}</ul>\n`
  })
  return html`<p class="nav-title">Guide</p>\n<ul>${sections}</ul>
${operations}<p class="nav-title">More</p>\n<ul><li><a href="#schemas">Shared schemas</a></li></ul>`
}

function renderSection({ id, title, content }: GuideSection): Html {
  return html`<section aria-labelledby="${id}">
<h2 id="${id}"><a href="#${id}">${title}</a></h2>
${content}</section>
`
}

function renderGroup(group: Group, document: OpenApiDocument): Html {
  const content = html`${group.operations.map((placed) => renderOperation(placed, document))}`
  return renderSection({ id: group.id, title: group.name, content })
}

function renderSchemas(document: OpenApiDocument): Html {
  const { schemas } = document.components
  const content = html`<p>Shapes that several operations use.</p>
${Object.keys(schemas).map((name) => renderSharedSchema(name, schemas))}`
  return renderSection({ id: 'schemas', title: 'Shared schemas', content })
}
