import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { records as ar } from '#components/i18n/messages/ar/records.ts'
import { records as de } from '#components/i18n/messages/de/records.ts'
import { records as en } from '#components/i18n/messages/en/records.ts'

/** Every `thing.verb` of the log that the server's code names; those that begin with `did` are events. */
function loggedActions(): string[] {
  const sources = globSync('server/modules/**/*.ts').filter((path) => !path.endsWith('.test.ts'))
  const named = sources.flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/'([a-zA-Z]+)\.([a-zA-Z]+)'/g)])
  const actions = named.filter(([, thing = '', verb = '']) => thing in en.audit.things && !/^(did|.*DidU)/.test(verb))
  return [...new Set(actions.map(([, thing, verb]) => `${thing}.${verb}`))].sort()
}

/** What actions are about: also where the verb is put in, as in `namedQueue.${string}`. */
function loggedThings(): string[] {
  const sources = globSync('server/modules/**/*.ts').filter((path) => !path.endsWith('.test.ts'))
  const named = sources.flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/\baction: ['`]([a-zA-Z]+)\./g)])
  return [...new Set(named.map(([, thing = '']) => thing))].sort()
}

test('everything that actions of the log are about has a name', () => {
  const things = loggedThings()
  expect(things.length).toBeGreaterThan(20)
  expect(things.filter((thing) => !(thing in en.audit.things))).toEqual([])
})

test.each([
  ['en', en],
  ['de', de],
  ['ar', ar],
])('every action of the log has a label in %s', (_, { audit }) => {
  const actions = loggedActions()
  expect(actions.length).toBeGreaterThan(80)
  expect(actions.filter((action) => !((action.split('.')[1] ?? '') in audit.verbs))).toEqual([])
})
