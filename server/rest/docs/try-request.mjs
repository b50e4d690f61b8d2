// Runs in the browser, inside /api/docs: sends the request in a form, and shows the answer.
const token = /** @type {HTMLInputElement} */ (document.getElementById('token'))
const key = /** @type {HTMLInputElement} */ (document.getElementById('key'))

openTarget()
addEventListener('hashchange', openTarget)
document.addEventListener('submit', (event) => {
  event.preventDefault()
  const form = /** @type {HTMLFormElement} */ (event.target)
  if (form.matches('.try')) void send(form)
})

/** A link to a folded section unfolds it. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!(target instanceof HTMLDetailsElement)) return
  target.open = true
  target.scrollIntoView()
}

/** @param {HTMLFormElement} form */
async function send(form) {
  const status = form.querySelector('[role=status]')
  const answer = form.querySelector('pre')
  status.textContent = 'Sending…'
  const started = performance.now()
  try {
    const response = await fetch(addressOf(form), requestOf(form))
    const text = await response.text()
    const took = Math.round(performance.now() - started)
    status.textContent = `${response.status} ${response.statusText} in ${took} ms, request ID ${response.headers.get('x-request-id')}`
    answer.textContent = indented(text)
    answer.hidden = text === ''
  } catch (error) {
    status.textContent = `Not sent: ${error.message}`
    answer.hidden = true
  }
}

/** @param {HTMLFormElement} form */
function addressOf(form) {
  const values = fieldsOf(form, 'path')
  const path = form.dataset.path.replace(/\{(\w+)\}/g, (_whole, name) => encodeURIComponent(values.get(name) ?? ''))
  const query = new URLSearchParams()
  for (const field of form.querySelectorAll('[data-in=query]')) {
    const lines = field.name.endsWith('[]') ? field.value.split('\n') : [field.value]
    for (const line of lines) if (line !== '') query.append(field.name, line)
  }
  return query.size === 0 ? path : `${path}?${query}`
}

/** @param {HTMLFormElement} form */
function requestOf(form) {
  const { method, key: keyHeader } = form.dataset
  const body = form.querySelector('[data-in=body]')?.value
  const hasBody = body !== undefined && body !== '' && method !== 'GET'
  return {
    method,
    credentials: 'omit',
    headers: {
      ...(token.value !== '' && { authorization: `Bearer ${token.value}` }),
      ...(key.value !== '' && keyHeader !== '' && { [keyHeader]: key.value }),
      ...(hasBody && { 'content-type': 'application/json' }),
      ...Object.fromEntries([...fieldsOf(form, 'header')].filter(([, value]) => value !== '')),
    },
    ...(hasBody && { body }),
  }
}

function fieldsOf(form, place) {
  return new Map([...form.querySelectorAll(`[data-in=${place}]`)].map((field) => [field.name, field.value]))
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
