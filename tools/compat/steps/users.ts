import assert from 'node:assert/strict'
import { at, eachOf, holds } from '../read.ts'
import { BOB, CAROL, ME, type Stage } from '../stage.ts'

export async function driveUsers({ client, step, admin, adminToken }: Stage): Promise<void> {
  await step('UserRepository.getUser', async () => {
    const dave = { userId: 'compat-dave', displayName: 'Dave' }
    await admin.send('PUT', '/api/v3/users', { ...dave, createNewUserWhenNotFound: true })
    holds(await client.live('UserRepository.getUser', dave.userId), { data: dave })
  })

  await step('UserRepository.getUserByIds', async () => {
    const found = await client.call('UserRepository.getUserByIds', [BOB, CAROL])
    assert.deepEqual(eachOf(found, 'data', 'userId'), [BOB, CAROL])
  })

  await step('UserRepository.getUsers', async () => {
    const found = await client.live('UserRepository.getUsers', { filter: 'all', sortBy: 'lastCreated', limit: 5 })
    const known = eachOf(found, 'data', 'userId')
    assert.ok([ME, BOB, CAROL].every((userId) => known.includes(userId)))
  })

  await step('UserRepository.searchUserByDisplayName', async () => {
    const asked = { displayName: 'caro', matchType: 'partial', limit: 5 }
    const found = await client.live('UserRepository.searchUserByDisplayName', asked)
    assert.deepEqual(eachOf(found, 'data', 'userId'), [CAROL])
  })

  await step('UserRepository.updateUser', async () => {
    await client.call('UserRepository.updateUser', ME, { displayName: 'Me, renamed', metadata: { port: 'Kiel' } })
    const seen = await admin.get(`/api/v3/users/${ME}`)
    holds(seen, { users: [{ displayName: 'Me, renamed', metadata: { port: 'Kiel' } }] })
  })

  const flags = async () => at(await admin.get(`/api/v3/users/${BOB}`), 'users', 0, 'flagCount')
  const reported = async () => {
    const asked = { method: 'get', url: '/api/v3/users', params: { filter: 'flagged', options: { limit: 50 } } }
    const found = await client.http({ ...asked, headers: { Authorization: `Bearer ${adminToken}` } })
    return eachOf(found, 'users', 'userId').toSorted()
  }
  const reportedBefore = await reported()
  await step('UserRepository.flagUser', async () => {
    assert.equal(await client.call('UserRepository.flagUser', BOB), true)
    assert.equal(await flags(), 1)
  })

  await step('UserRepository.isUserFlaggedByMe', async () => {
    assert.equal(await client.call('UserRepository.isUserFlaggedByMe', BOB), true)
    assert.equal(await client.call('UserRepository.isUserFlaggedByMe', CAROL), false)
  })

  await step('UserRepository.getUsers, those who were reported, for staff alone', async () => {
    assert.equal(await client.codeOf(client.live('UserRepository.getUsers', { filter: 'flagged' })), 400300)
    assert.deepEqual(await reported(), [...reportedBefore, BOB].toSorted())
  })

  await step('UserRepository.unflagUser', async () => {
    assert.equal(await client.call('UserRepository.unflagUser', BOB), true)
    assert.equal(await flags(), 0)
  })
}
