import { removeMessage } from '#server/modules/desk/messages/remove-message.ts'
import { addDeskRole } from '#server/modules/desk/spaces/member-acts.ts'
import type { DeskScene } from '#server/testing/procedures/desk-callers.ts'
import { ANYBODY, type DeskOutcomes, type DeskRow } from '#server/testing/procedures/row.ts'

const community = ({ communityId }: DeskScene) => ({ scope: 'community' as const, communityId })
const channel = ({ channelId }: DeskScene) => ({ scope: 'channel' as const, channelId })
const SPACES = [
  ['a channel', channel],
  ['a community', community],
] as const

/** Actions on members: of a channel by those who lead it, of a community by those who lead that, of any by moderators of the network. */
const BY_WHO_LEADS: Record<(typeof SPACES)[number][0], DeskOutcomes> = {
  'a channel': [401, 403, 200, 403, 403, 403, 200, 200, 200],
  'a community': [401, 200, 403, 403, 403, 403, 200, 200, 200],
}

/** Its page is for those who lead it, and for those who see all. */
const KNOWN_TO: typeof BY_WHO_LEADS = {
  'a channel': [401, 403, 200, 403, 403, 200, 200, 200, 200],
  'a community': [401, 200, 403, 403, 403, 200, 200, 200, 200],
}

export const SPACE_ROWS: DeskRow[] = [
  { procedure: 'channels.list', outcomes: ANYBODY, input: () => ({}) },
  { procedure: 'channels.read', outcomes: KNOWN_TO['a channel'], input: ({ channelId }) => ({ channelId }) },
  { procedure: 'communities.list', outcomes: ANYBODY, input: () => ({}) },
  { procedure: 'communities.read', outcomes: KNOWN_TO['a community'], input: ({ communityId }) => ({ communityId }) },
  {
    procedure: 'communities.set',
    outcomes: BY_WHO_LEADS['a community'],
    input: ({ communityId }) => ({ communityId, setting: 'onlyAdminCanPost', isOn: true }),
  },
  ...SPACES.flatMap(([about, space]): DeskRow[] => [
    {
      procedure: 'members.list',
      about: `of ${about}`,
      outcomes: KNOWN_TO[about],
      input: (scene) => ({ space: space(scene) }),
    },
    {
      procedure: 'members.count',
      about: `of ${about}`,
      outcomes: KNOWN_TO[about],
      input: (scene) => ({ space: space(scene) }),
    },
    ...(
      [
        ['outsiders', (scene) => ({ query: scene.outsiderId })],
        ['ban', (scene) => ({ userIds: [scene.memberId], minutes: 60, reason: 'Spam' })],
        ['unban', (scene) => ({ userIds: [scene.bannedId] })],
        ['banAgain', (scene) => ({ members: [{ userId: scene.memberId }] })],
        ['mute', (scene) => ({ userIds: [scene.memberId], minutes: 60 })],
        ['add', (scene) => ({ userIds: [scene.outsiderId] })],
        ['remove', (scene) => ({ userIds: [scene.memberId] })],
        ['putBack', (scene) => ({ areBanned: false, members: [{ userId: scene.outsiderId, roles: [] }] })],
        ['addRole', (scene) => ({ userIds: [scene.memberId], role: roleOf(about) })],
        ['removeRole', (scene) => ({ userIds: [scene.memberId], role: roleOf(about) })],
      ] as [string, (scene: DeskScene) => object][]
    ).map(
      ([act, input]): DeskRow => ({
        procedure: `members.${act}`,
        about: `of ${about}`,
        outcomes: BY_WHO_LEADS[about],
        input: async (scene) => {
          if (act === 'removeRole')
            await addDeskRole(await scene.admin(), {
              space: space(scene),
              userIds: [scene.memberId],
              role: roleOf(about),
            })
          return { space: space(scene), ...input(scene) }
        },
      }),
    ),
  ]),
]

/** Those who may read the messages of the scene's channel, and those who moderate it. */
const MESSAGE_READERS: DeskOutcomes = [401, 200, 200, 403, 403, 200, 200, 200, 200]
const MESSAGE_TAKERS: DeskOutcomes = [401, 403, 200, 'NOT_CHANNEL_MEMBER', 'NOT_CHANNEL_MEMBER', 403, 200, 200, 200]

export const MESSAGE_ROWS: DeskRow[] = [
  {
    procedure: 'messages.search',
    about: 'of the channel',
    outcomes: MESSAGE_READERS,
    input: ({ channelId, word }) => ({ channelId, query: word }),
  },
  { procedure: 'messages.around', outcomes: MESSAGE_READERS, input: ({ messageId }) => ({ messageId }) },
  {
    procedure: 'messages.around',
    about: 'in a conversation that is not open',
    outcomes: [401, 404, 404, 404, 404, 403, 403, 403, 403],
    input: ({ conversationMessageId: messageId }) => ({ messageId }),
  },
  {
    procedure: 'messages.open',
    outcomes: [401, 404, 404, 404, 404, 403, 403, 403, 200],
    input: ({ conversationId: channelId }) => ({ channelId, reason: 'Reported as a threat' }),
  },
  { procedure: 'messages.delete', outcomes: MESSAGE_TAKERS, input: ({ messageId }) => ({ messageId }) },
  {
    procedure: 'messages.bringBack',
    outcomes: MESSAGE_TAKERS,
    input: async (scene) => {
      const { messageId } = scene
      await removeMessage(await scene.as(scene.leadId), { messageId })
      return { messageId }
    },
  },
]

function roleOf(space: (typeof SPACES)[number][0]): string {
  return space === 'a channel' ? 'channel-moderator' : 'community-moderator'
}
