import { expect, test } from 'vitest'
import type { Actor } from '#server/core/ctx.ts'
import { changePreferences } from '#server/modules/accounts/preferences/change-preferences.ts'
import { readPreferences } from '#server/modules/accounts/preferences/read-preferences.ts'
import { PreferencesChange } from '#server/modules/accounts/preferences/schema.ts'
import { asAdmin, asUser, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, make } = await testDatabase()
const as = (actor: Actor) => ctxOf(database, actor)

const person = async (): Promise<Actor> => {
  const { userId } = await make.user()
  return { kind: 'user', userId, name: 'Asha', staffId: `staff of ${userId}` }
}

test('stores nothing until a preference is chosen, and reads back what was chosen', async () => {
  const ctx = as(await person())
  expect(await readPreferences(ctx)).toEqual({})
  const chosen = { zone: 'Asia/Kathmandu', theme: 'dark', keys: { approve: 'y' } } as const
  expect(await changePreferences(ctx, chosen)).toEqual(chosen)
  expect(await readPreferences(ctx)).toEqual(chosen)
})

test('keeps what a change does not name, and null restores the default', async () => {
  const ctx = as(await person())
  await changePreferences(ctx, { zone: 'Europe/Lisbon', density: 'compact', pauseAfterMinutes: 45 })
  await changePreferences(ctx, { zone: null, pauseAfterMinutes: null, coveredText: 'flagged' })
  expect(await readPreferences(ctx)).toEqual({ density: 'compact', coveredText: 'flagged' })
})

test('keeps the changes of browsers that change different fields at once', async () => {
  const ctx = as(await person())
  const changes = [
    { theme: 'dark' },
    { density: 'compact' },
    { areSingleKeysOff: true },
    { isMediaGrey: false },
  ] as const
  await Promise.all(changes.map((change) => changePreferences(ctx, change)))
  expect(await readPreferences(ctx)).toEqual(Object.assign({}, ...changes))
})

test('preferences are private to people signed in to the desk', async () => {
  const [one, other] = [as(await person()), as(await person())]
  await changePreferences(one, { theme: 'light' })
  expect(await readPreferences(other)).toEqual({})

  const { userId } = await make.user()
  for (const actor of [asUser(userId), asAdmin()]) {
    expect(await readPreferences(as(actor)).catch(failureOf)).toBe('UNAUTHORIZED')
    expect(await changePreferences(as(actor), { theme: 'dark' }).catch(failureOf)).toBe('UNAUTHORIZED')
  }
})

test('the log does not reveal how a person protects themselves', async () => {
  const actor = await person()
  await changePreferences(as(actor), { coveredText: 'all', pauseAfterDecisions: 20 })
  const rows = await database.prisma.audit.findMany({
    where: { actorId: 'userId' in actor ? (actor.userId ?? '') : '' },
  })
  expect(rows).toEqual([])
})

test.each([
  { zone: 'Mars/Olympus' },
  { zone: '+05:45' },
  { theme: 'sepia' },
  { keys: { approve: 'a b' } },
  { keys: { approve: '' } },
  { keys: { 'not an act': 'a' } },
  { keys: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`act${index}`, 'a'])) },
  { pauseAfterDecisions: 0 },
  { pauseAfterMinutes: 1_441 },
])('rejects %j', (change) => {
  expect(PreferencesChange.safeParse(change).success).toBe(false)
})

test.each(['a', '?', '+', 'mod+e', 'mod++', 'shift+ArrowDown', 'Delete', 'é'])('accepts %s as a key', (combo) => {
  expect(PreferencesChange.safeParse({ keys: { approve: combo } }).success).toBe(true)
})
