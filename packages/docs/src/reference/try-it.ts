import type { Html } from '../html.generated.ts'
import { html } from '../html.generated.ts'
import type { Located, Parameter } from './document.ts'
import { isOpen } from './samples.ts'

/**
 * Makes the form that sends a request from the page. It is hidden: the site's script shows it in staging. The browser
 * signs; the secret is held by the page alone and is gone when the page is left.
 */
export function tryItForm(located: Located): Html | undefined {
  const { operation, method, path } = located
  const body = operation.requestBody?.content['application/json']
  if (operation.requestBody !== undefined && body === undefined) return undefined
  const parameters = (operation.parameters ?? []).filter((each) => each.in === 'path' || each.in === 'query')
  return html`<section class="try" data-try data-method="${method}" data-path="${path}" hidden>
<h2 id="try-it">Try it</h2>
${
  isOpen(operation)
    ? html`<p>The request goes to this service, without credentials.</p>`
    : html`<p>The request goes to this staging service, signed by your browser. Key and secret stay in the memory of this page:
they are not stored, and they are gone when you leave it.</p>`
}
<form autocomplete="off">
${
  isOpen(operation)
    ? undefined
    : html`<div class="pair"><label>API key <input type="text" name="try-key" required spellcheck="false" autocomplete="off"></label>
<label>Signing secret <input type="password" name="try-secret" required autocomplete="off"></label></div>`
}
${parameters.map(parameterField)}
${
  body !== undefined &&
  html`<label>Body <textarea name="try-body" rows="10" spellcheck="false">${JSON.stringify(body.example ?? {}, null, 2)}</textarea></label>`
}
<p><button type="submit" class="button primary">Send ${method} ${path}</button></p>
</form>
<div class="answer" role="status" aria-label="Answer"></div>
</section>`
}

function parameterField({ name, required, example, in: place }: Parameter): Html {
  const value = Array.isArray(example) ? String(example[0] ?? '') : String(example ?? '')
  const isRequired = required === true || place === 'path'
  return html`<label><code>${name}</code> <input type="text" data-in="${place}" name="${name}" value="${value}"${
    isRequired && html` required`
  } spellcheck="false" autocomplete="off"></label>
`
}
