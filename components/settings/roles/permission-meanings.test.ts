import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ar } from '#components/i18n/messages/ar.ts'
import { de } from '#components/i18n/messages/de.ts'
import { en } from '#components/i18n/messages/en.ts'
import { CHANNEL_PERMISSIONS, COMMUNITY_PERMISSIONS, NETWORK_PERMISSIONS } from '#server/core/permission-names.ts'

const PERMISSIONS = [...NETWORK_PERMISSIONS, ...COMMUNITY_PERMISSIONS, ...CHANNEL_PERMISSIONS]

const server = globSync('server/**/*.ts')
  .filter((path) => !/\.test\.ts$|server\/testing\/|server\/core\/prisma\/|permission-names/.test(path))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n')
const isChecked = (permission: string) => server.includes(`'${permission}'`)

describe.each(Object.entries({ en, de, ar }))('in the catalogue of %s', (_, { permissions, permissionMeanings }) => {
  test('every permission has a name, and a sentence on what it allows', () => {
    const unknown = PERMISSIONS.filter((permission) => !permissions[permission] || !permissionMeanings[permission])
    expect(unknown).toEqual([])
    const noSentence = PERMISSIONS.filter((permission) => !/\S \S.*\.$/.test(permissionMeanings[permission]))
    expect(noSentence).toEqual([])
  })

  test('a permission that nothing checks says so, and no other does', () => {
    const unchecked = PERMISSIONS.filter((permission) => !isChecked(permission))
    const { EDIT_MESSAGE: saysSo } = permissionMeanings
    expect(PERMISSIONS.filter((permission) => permissionMeanings[permission] === saysSo)).toEqual(unchecked)
  })

  test('no two permissions that are checked have the same sentence', () => {
    const sentences = PERMISSIONS.filter(isChecked).map((permission) => permissionMeanings[permission])
    expect(new Set(sentences).size).toBe(sentences.length)
  })
})
