import assert from 'node:assert/strict'
import { at, eachOf } from '../read.ts'
import type { Stage } from '../stage.ts'

export async function driveNetwork({ client, step, admin }: Stage): Promise<void> {
  await step('queryRoles', async () => {
    const found = await client.call('queryRoles', { limit: 100 })
    const known = await admin.get('/api/v3/roles?options[limit]=100')
    assert.deepEqual(eachOf(found, 'data', 'roleId'), eachOf(known, 'roles', 'roleId'))
  })

  await step('client.validateTexts', async () => {
    await admin.send('POST', '/api/v3/blocklists', { regexs: ['barnacle'], isMatchExactWord: true })
    assert.equal(await client.call('client.validateTexts', ['clean', 'words']), true)
    assert.equal(await client.codeOf(client.call('client.validateTexts', ['a barnacle'])), 400308)
  })

  await step('client.validateUrls', async () => {
    await admin.send('POST', '/api/v3/allowlists', { regexs: ['harbour\\.example'] })
    await admin.send('PUT', '/api/v3/network-settings/moderation', { isWhitelistEnabled: true })
    assert.equal(await client.call('client.validateUrls', ['https://harbour.example']), true)
    assert.equal(await client.codeOf(client.call('client.validateUrls', ['https://elsewhere.example'])), 400309)
  })

  await step('client.getSocialSettings', async () => {
    const known = await admin.get('/api/v3/network-settings/social')
    assert.deepEqual(await client.call('client.getSocialSettings'), at(known, 'socialNetworkSetting'))
  })

  await step('Client.getFeedSettings', async () => {
    assert.deepEqual(await client.call('Client.getFeedSettings'), {})
  })
}
