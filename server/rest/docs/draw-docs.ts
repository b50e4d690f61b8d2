import {
  type ApiDocument,
  type Operation,
  operationsOf,
  type Parameter,
  type Schema,
} from '#server/rest/docs/api-document.ts'
import { escaped } from '#server/rest/docs/escaped.ts'
import { fieldsOf, nameOfShape, sampleOf, typeOf, variantsOf } from '#server/rest/docs/shapes.ts'

interface Assets {
  style: string
  script: string
}

/** The page, except for the nonce of each answer. */
export function drawDocs(document: ApiDocument, { style, script }: Assets): (nonce: string) => string {
  const { info } = document
  const tags = Map.groupBy(operationsOf(document), ({ operation }) => operation.tags?.[0] ?? 'other')
  const shapes = Object.entries(document.components.schemas).sort(([one], [two]) => one.localeCompare(two))
  const content = `
<header>
  <h1>${escaped(info.title)} <small>API ${escaped(info.version)}</small></h1>
  <p>${proseOf(info.description ?? '')} <a href="/api/openapi.json">OpenAPI 3.1</a></p>
  <form id="credentials">
    <label for="token">Access token</label>
    <input id="token" type="password" autocomplete="off" spellcheck="false" aria-describedby="token-hint">
    <label for="key">API key or server key</label>
    <input id="key" type="password" autocomplete="off" spellcheck="false" aria-describedby="token-hint">
    <p id="token-hint">Sent with the requests you try below. Not stored; cleared when you leave this page.</p>
  </form>
</header>
<nav aria-label="API sections"><ul>
${[...tags.keys()].map((tag) => `<li><a href="#${escaped(tag)}">${escaped(tag)}</a></li>`).join('\n')}
<li><a href="#shapes">schemas</a></li>
</ul></nav>
<main>
${[...tags].map(([tag, operations]) => drawTag(document, tag, operations)).join('\n')}
<section aria-labelledby="shapes"><h2 id="shapes">schemas</h2>
${shapes.map(([name, schema]) => drawShape(name, schema)).join('\n')}
</section>
</main>`
  return (nonce) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(info.title)} REST API</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${style}</style>
</head>
<body>${content}
<script type="module" nonce="${nonce}">${script}</script>
</body>
</html>`
}

type Placed = ReturnType<typeof operationsOf>[number]

function drawTag(document: ApiDocument, tag: string, operations: Placed[]): string {
  return `<section aria-labelledby="${escaped(tag)}"><h2 id="${escaped(tag)}">${escaped(tag)}</h2>
${operations.map((placed) => drawOperation(document, placed)).join('\n')}
</section>`
}

function drawOperation(document: ApiDocument, { method, path, operation }: Placed): string {
  const id = `${method} ${path}`.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return `<details id="${id}">
<summary><b class="method">${method}</b> <code>${escaped(path)}</code> <span>${escaped(operation.summary ?? '')}</span></summary>
${operation.description ? `<p>${proseOf(operation.description)}</p>` : ''}
<p>Requires ${escaped(credentialsOf(operation))}.</p>
<form class="try" data-method="${method}" data-path="${escaped(path)}" data-key="${keyHeaderOf(operation)}">
${(operation.parameters ?? []).flatMap((parameter) => drawParameter(id, parameter)).join('\n')}
${drawBody(document, id, operation)}
<button type="submit">Send</button>
<p role="status"></p>
<pre tabindex="0" role="region" aria-label="Response of ${method} ${escaped(path)}" hidden></pre>
</form>
<h3>Responses (errors are <a href="#shape-Error">Error</a>)</h3>
<dl>${Object.entries(operation.responses)
    .map(([status, response]) => `<dt>${status}</dt><dd>${drawAnswer(response)}</dd>`)
    .join('')}</dl>
</details>`
}

const CREDENTIALS: Record<string, string> = {
  bearer: 'an access token',
  apiKey: 'an API key (x-api-key)',
  serverKey: 'a server key (x-server-key)',
}

function schemesOf({ security = [{ bearer: [] }] }: Operation): string[] {
  return security.flatMap((scheme) => Object.keys(scheme))
}

function credentialsOf(operation: Operation): string {
  return schemesOf(operation)
    .map((scheme) => CREDENTIALS[scheme] ?? scheme)
    .join(' or ')
}

function keyHeaderOf(operation: Operation): string {
  const schemes = schemesOf(operation)
  if (schemes.includes('serverKey')) return 'x-server-key'
  return schemes.includes('apiKey') ? 'x-api-key' : ''
}

/** An object in the query becomes one field per property. */
function drawParameter(id: string, parameter: Parameter): string[] {
  if (parameter.style === 'deepObject') {
    return fieldsOf(parameter.schema).map(({ name, schema }) =>
      drawField(id, { ...parameter, name: `${parameter.name}[${name}]`, required: false, schema }),
    )
  }
  return [drawField(id, parameter)]
}

function drawField(id: string, { name, in: place, required, description, schema }: Parameter): string {
  const field = `${id}-${place}-${name}`
  const attributes = `id="${escaped(field)}" name="${escaped(name)}" data-in="${place}" aria-describedby="${escaped(field)}-hint"${required ? ' required' : ''}`
  const choices = variantsOf(schema).flatMap((variant) =>
    variant.type === 'boolean' ? [true, false] : (variant.enum ?? []),
  )
  return `<label for="${escaped(field)}">${escaped(name)}${required ? ' <i>required</i>' : ''}</label>
${
  choices.length > 0
    ? `<select ${attributes}><option value=""></option>${choices.map((choice) => `<option>${escaped(String(choice))}</option>`).join('')}</select>`
    : drawInput(schema, attributes)
}
<p id="${escaped(field)}-hint">${typeOf(schema)}${description ? `. ${proseOf(description)}` : ''}</p>`
}

function drawInput(schema: Schema, attributes: string): string {
  return schema.type === 'array'
    ? `<textarea ${attributes} rows="2" placeholder="One per line"></textarea>`
    : `<input ${attributes} autocomplete="off" spellcheck="false">`
}

function drawBody(document: ApiDocument, id: string, { requestBody }: Operation): string {
  const schema = requestBody?.content['application/json']?.schema
  if (schema === undefined) return ''
  const field = `${id}-body`
  return `<label for="${field}">Body</label>
<textarea id="${field}" data-in="body" rows="6" spellcheck="false">${escaped(JSON.stringify(sampleOf(document, schema), null, 2) ?? '')}</textarea>
<div class="shape">${drawFields(schema)}</div>`
}

/** All errors have the shape Error, so it is not repeated for each. */
function drawAnswer({ description, content = {} }: Operation['responses'][string]): string {
  const shapes = Object.entries(content)
    .filter(([, { schema }]) => nameOfShape(schema) !== 'Error')
    .map(([type, { schema }]) => (type === 'application/json' ? typeOf(schema) : escaped(type)))
  return [proseOf(description), ...shapes].join(': ')
}

function drawShape(name: string, schema: Schema): string {
  return `<details id="shape-${escaped(name)}"><summary><b>${escaped(name)}</b></summary>
${schema.description ? `<p>${proseOf(schema.description)}</p>` : ''}${drawFields(schema)}</details>`
}

function drawFields(schema: Schema): string {
  const fields = variantsOf(schema).flatMap(fieldsOf)
  if (fields.length === 0) return `<p>${typeOf(schema)}</p>`
  const rows = fields.map(
    ({ name, isRequired, schema: field }) =>
      `<tr><th scope="row"><code>${escaped(name)}</code></th><td>${typeOf(field)}${field.description ? `. ${proseOf(field.description)}` : ''}</td><td class="there">${isRequired ? 'yes' : ''}</td></tr>`,
  )
  return `<table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Required</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function proseOf(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}
