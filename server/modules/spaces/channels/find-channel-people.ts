import { actingUserId, actorHolds, actorName, type Ctx } from '#server/core/ctx.ts'
import { listOf, queryOne, sql } from '#server/core/db.ts'
import { rowsOfJson } from '#server/core/json-rows.ts'
import { mayInChannel } from '#server/core/permissions.ts'
import { toUserView, USER_COLUMNS, type UserRow } from '#server/modules/accounts/users/view.ts'
import { FILE_COLUMNS, type FileRow, toFileView } from '#server/modules/media/files/view.ts'
import {
  buildChannelEnvelope,
  type SeenChannel,
  seenChannel,
} from '#server/modules/spaces/channels/channel-envelope.ts'
import { mayKnowChannel } from '#server/modules/spaces/channels/channel-scope.ts'
import type { ChannelEnvelope } from '#server/modules/spaces/channels/schema.ts'
import {
  CHANNEL_USER_COLUMNS,
  type ChannelUserRow,
  PREVIEW_COLUMNS,
  type PreviewRow,
} from '#server/modules/spaces/channels/view.ts'
import { type PeopleRow, peopleColumns, toPeople } from '#server/modules/spaces/membership/find-people.ts'
import { TRANSITIONS } from '#server/modules/spaces/membership/set-membership.ts'
import type { DoneAct, FoundPeople, PlannedChange, WantedPeople } from '#server/modules/spaces/membership/space-kind.ts'
import { SPACE_KINDS } from '#server/modules/spaces/membership/space-kinds.ts'

type JsonRows = Record<string, unknown>[] | null

interface FoundRow extends SeenChannel, PeopleRow {
  mayAct: boolean
  members: JsonRows
  messages: JsonRows
  users: JsonRows
  files: JsonRows
}

/** A channel with people, and all that an action on them publishes and answers. */
export async function findChannelPeople(
  ctx: Ctx,
  wanted: WantedPeople,
): Promise<FoundPeople<ChannelEnvelope> | undefined> {
  const { spaceId, userIds, action } = wanted
  const mayAct = mayInChannel(ctx, action, sql`c.channel_id`)
  const isFixed = action === 'addMembers' || action === 'removeMembers'
  const found = await queryOne<FoundRow>(
    ctx,
    sql`
    with space as materialized (
      select ${seenChannel(ctx)}, ${mayAct} and not (${isFixed} and c.type = 'conversation') as may_act from channel c
      where c.channel_id = ${spaceId} and not c.is_deleted and (${mayKnowChannel(ctx)} or ${mayAct}) and ${actorHolds(ctx)}),
    member as materialized (
      select ${CHANNEL_USER_COLUMNS}
      from channel_user cu join channel c on c.channel_id = cu.channel_id join network_user u on u.user_id = cu.user_id
      where cu.channel_id = ${spaceId} and cu.user_id = any(${listOf(userIds)})),
    message_shown as materialized (
      select ${PREVIEW_COLUMNS}
      from space join message m on m.message_id = any(array[space.message_preview_id, space.pinned_message_id])
      join channel c on c.channel_id = m.channel_id and c.channel_id = space.channel_id
      left join message_feed f on f.message_feed_id = coalesce(m.message_feed_id, c.internal_id)
      where space.is_readable),
    referred as materialized (
      select ${USER_COLUMNS} from network_user u where u.user_id = any(array(
        select user_id from member union select creator_id from message_shown
        union select pinned_by from space where is_readable and pinned_by is not null)))
    select space.*, ${peopleColumns(ctx, SPACE_KINDS.channel, wanted)},
      (select json_agg(member order by member.user_id) from member) as members,
      (select json_agg(message_shown) from message_shown) as messages,
      (select json_agg(referred order by referred.user_id <> all(${listOf(userIds)}), referred.user_id) from referred) as users,
      (select json_agg(named order by named.file_id) from (
        select ${FILE_COLUMNS} from file f where f.file_id = any(array(
          select avatar_file_id from space union select avatar_file_id from referred
          union select m.file_id from message_shown m
            where m.message_id = space.message_preview_id and not m.is_deleted))) named) as files
    from space`,
  )
  if (found === undefined) return undefined
  return { mayAct: found.mayAct, ...toPeople(found), publish: (change) => publish(ctx, found, change) }
}

function publish(ctx: Ctx, found: FoundRow, { act, changed, counts }: PlannedChange) {
  const members = rowsOfJson<ChannelUserRow>(found.members, ['lastActivity', 'muteTimeout', 'createdAt', 'updatedAt'])
  const messages = rowsOfJson<PreviewRow>(found.messages, ['createdAt', 'updatedAt', 'feedCreatedAt', 'feedUpdatedAt'])
  const after = {
    membership: TRANSITIONS[act].to,
    ...(act !== 'unbanned' && { roles: [], permissions: [] }),
    updatedAt: ctx.now(),
  }
  const answer = buildChannelEnvelope(ctx, {
    channels: [{ ...found, memberCount: found.memberCount + counts.members }],
    channelUsers: members.map((member) => (changed.includes(member.userId) ? { ...member, ...after } : member)),
    messages: new Map(messages.map((message) => [message.messageId, message])),
    users: rowsOfJson<UserRow>(found.users, ['createdAt', 'updatedAt']).map((row) => toUserView(ctx, row)),
    files: rowsOfJson<FileRow>(found.files, ['createdAt', 'updatedAt']).map(toFileView),
  })
  return { payload: toPayload(ctx, answer, { act: SPACE_KINDS.channel.acts[act], changed }), answer }
}

/** What the event of an action on people of a channel contains. */
export function toPayload(
  ctx: Ctx,
  { channels, users }: ChannelEnvelope,
  { act, changed }: Pick<DoneAct, 'act' | 'changed'>,
): Record<string, unknown> {
  const actorId = actingUserId(ctx) ?? actorName(ctx)
  return {
    channel: channels,
    users: users.filter(({ userId }) => changed.includes(userId)),
    userIds: changed,
    actorId,
    ...(act.actorField && { [act.actorField]: actorId }),
  }
}
