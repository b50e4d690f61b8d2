import { expect, test } from 'vitest'
import { ERRORS } from '#server/core/errors.ts'
import { type ApiDocument, type Operation, operationsOf, type Parameter } from '#server/rest/docs/api-document.ts'
import { fieldsOf } from '#server/rest/docs/shapes.ts'
import { STANDINGS } from '#server/testing/callers.ts'
import { testDatabase } from '#server/testing/database.ts'
import { type Edge, edgesOf, meaningOf } from '#server/testing/edges.ts'
import { invalidOf, requestOf, type Sent, withQuery } from '#server/testing/routes/row.ts'
import { happyCall } from '#server/testing/routes/rows.ts'
import { sampled } from '#server/testing/scaled.ts'
import { makeScenes } from '#server/testing/scene.ts'
import { tableApi } from '#server/testing/table-api.ts'

const { database } = await testDatabase()
const api = await tableApi(database)
const document: ApiDocument = (await api.call('GET', '/api/openapi.json')).body

/** One parameter of a request at one of its limits, all others as in the table. */
interface Try {
  what: string
  isWithin: boolean
  space: (sent: Sent) => Sent
}

const limited = operationsOf(document).flatMap(({ method, path, operation }) => {
  const tries = [...(operation.parameters ?? []).flatMap(triesOfParameter), ...triesOfBody(operation)]
  return tries.length === 0
    ? []
    : [{ route: `${method} ${path}`, tries, invalid: ERRORS[invalidOf(`${method} ${path}`)] }]
})

test.each(
  sampled(limited, 30).map((one) => [one.route, one] as const),
)('%s accepts its parameters at their limits, and nothing beyond', async (_name, { route, tries, invalid }) => {
  const { row, caller } = happyCall(route)
  const [scene] = await makeScenes(database, { castings: [STANDINGS[caller]] })
  if (scene === undefined) throw new Error('one casting makes one scene')
  const headers = api.headersOf(caller, scene)
  // A handle is unique: frees those that the previous route assigned.
  await database.pool.query('update network_user set profile_handle = null')
  for (const { what, isWithin, space } of tries) {
    const request = (on: typeof scene) => space(row.request?.(on) ?? {})
    const { method, path, query, body } = requestOf({ ...row, request }, scene)
    const answer = await api.call(method, withQuery(path, query), { body, headers })
    const isTaken = ![400, 413, 422, 500].includes(answer.status)
    expect({ what, isTaken, ...answer }).toMatchObject({
      what,
      isTaken: isWithin,
      ...(!isWithin && { status: invalid.http, body: { code: invalid.wire, message: invalid.text } }),
    })
  }
})

test('tries more than a thousand limits', () => {
  expect(limited.flatMap(({ tries }) => tries).length).toBeGreaterThan(1_000)
})

function triesOfParameter({ in: where, name, schema }: Parameter): Try[] {
  const edges = edgesOf(document, schema, name)
  // An empty part of a path is another path; an empty list in a query string is no list.
  if (where === 'path')
    return edges
      .filter(({ value }) => value !== '')
      .map((edge) => tryOf(edge, (sent) => ({ ...sent, path: { ...sent.path, [name]: String(edge.value) } })))
  return edges
    .filter(({ value }) => !JSON.stringify(value).includes('[]'))
    .map((edge) => tryOf(edge, (sent) => ({ ...sent, query: { ...sent.query, ...asQuery(name, edge.value) } })))
}

function triesOfBody({ requestBody }: Operation): Try[] {
  const schema = meaningOf(document, requestBody?.content['application/json']?.schema ?? {})
  return fieldsOf(schema).flatMap((field) =>
    edgesOf(document, field.schema, field.name).map((edge) =>
      tryOf(edge, (sent) => ({ ...sent, body: { ...(sent.body ?? {}), [field.name]: edge.value } })),
    ),
  )
}

function tryOf({ what, isWithin }: Edge, space: Try['space']): Try {
  return { what, isWithin, space }
}

/** Objects are sent as `options[limit]`, lists as `types[]`. */
function asQuery(name: string, value: unknown): Record<string, string | string[]> {
  if (Array.isArray(value)) return { [name.endsWith('[]') ? name : `${name}[]`]: value.map(String) }
  if (typeof value !== 'object' || value === null) return { [name]: String(value) }
  return Object.assign({}, ...Object.entries(value).map(([key, inner]) => asQuery(`${name}[${key}]`, inner)))
}
