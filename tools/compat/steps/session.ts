import assert from 'node:assert/strict'
import { holds } from '../read.ts'
import { ME, type Stage } from '../stage.ts'

export async function driveSession({ client, step, admin }: Stage): Promise<void> {
  await step('Client.login', async () => {
    const renewal = { sessionWillRenewAccessToken: () => {} }
    const asked = { userId: ME, displayName: 'Me', deviceId: 'compat' }
    assert.equal(await client.call('Client.login', asked, renewal), true)
    holds(await admin.get(`/api/v3/users/${ME}`), { users: [{ userId: ME, displayName: 'Me' }] })
  })
}

/** The client forgets its token without reporting it: its later requests are anonymous. */
export async function leaveSession({ client, step }: Stage): Promise<void> {
  await step('Client.logout', async () => {
    assert.equal(await client.call('Client.logout'), true)
    assert.equal(await client.codeOf(client.http({ method: 'get', url: `/api/v3/users/${ME}` })), 400100)
  })
}
