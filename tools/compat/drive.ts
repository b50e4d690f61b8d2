import { once } from 'node:events'
import { callerOf } from './caller.ts'
import { loadClient } from './client.ts'
import { at } from './read.ts'
import { BOB, CAROL, type Stage } from './stage.ts'
import { driveChannelMembers } from './steps/channel-members.ts'
import { driveChannels } from './steps/channels.ts'
import { driveComments } from './steps/comments.ts'
import { driveCommunities } from './steps/communities.ts'
import { driveCommunityMembers } from './steps/community-members.ts'
import { driveEndpoints } from './steps/endpoints.ts'
import { driveMessages } from './steps/messages.ts'
import { driveNetwork } from './steps/network.ts'
import { drivePosts } from './steps/posts.ts'
import { driveSession, leaveSession } from './steps/session.ts'
import { driveUsers } from './steps/users.ts'
import { createSteps } from './steps.ts'

export interface Setting {
  /** The folder the client is installed in. */
  folder: string
  url: string
  apiKey: string
  adminToken: string
}

// Mutes the client's own log messages, which don't belong among the steps.
for (const way of ['log', 'warn', 'error'] as const) console[way] = () => {}

const [setting] = (await once(process, 'message')) as [Setting]
const client = loadClient(setting)
const { step, fail, conclude } = createSteps(client)
process.on('unhandledRejection', (error) => {
  // It requests read markers by itself; they are optional (docs/decisions/0061-what-apps-of-the-public-client-need.md).
  if (!(error instanceof Error && error.stack?.includes('Markers'))) fail('in the background', error)
})
const stage: Stage = {
  client,
  step,
  adminToken: setting.adminToken,
  admin: callerOf(setting.url, { authorization: `Bearer ${setting.adminToken}` }),
  bob: await logIn(BOB, 'Bob'),
  carol: await logIn(CAROL, 'Carol'),
}

await driveSession(stage)
await driveChannels(stage)
await driveChannelMembers(stage)
await driveMessages(stage)
await driveCommunities(stage)
await driveCommunityMembers(stage)
await drivePosts(stage)
await driveComments(stage)
await driveUsers(stage)
await driveEndpoints(stage)
await driveNetwork(stage)
await leaveSession(stage)

// The client keeps timers alive.
process.exit(conclude() ? 0 : 1)

async function logIn(userId: string, displayName: string) {
  const anybody = callerOf(setting.url, { 'x-api-key': setting.apiKey })
  const session = await anybody.send('POST', '/api/v5/sessions', {
    userId,
    displayName,
    deviceId: `device-of-${userId}`,
    deviceInfo: { kind: 'web', model: 'compat', sdkVersion: '0' },
  })
  return callerOf(setting.url, { authorization: `Bearer ${at(session, 'accessToken')}` })
}
