import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { jsonOfRows } from '#server/core/database/json-rows.ts'
import { joinedRow } from '#server/core/database/row-maker.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { mayInChannel } from '#server/core/permissions.ts'
import { type GatheredNames, namedIn, namedRecords } from '#server/modules/accounts/users/named-records.ts'
import { toUserView, USER_COLUMNS, type UserRow } from '#server/modules/accounts/users/view.ts'
import { FILE_COLUMNS, type FileRow, toFileView } from '#server/modules/media/files/view.ts'
import { toChannelEnvelope } from '#server/modules/spaces/channels/channel-envelope.ts'
import { mayKnowChannel, mayReadChannel } from '#server/modules/spaces/channels/channel-scope.ts'
import {
  CHANNEL_FILES,
  CHANNEL_PEOPLE,
  type FoundChannels,
  PREVIEW_TABLE,
  previewsIn,
  type SeenChannel,
} from '#server/modules/spaces/channels/find-channels.ts'
import type { ChannelEnvelope } from '#server/modules/spaces/channels/schema.ts'
import { CHANNEL_COLUMNS, CHANNEL_USER_COLUMNS, type ChannelUserRow } from '#server/modules/spaces/channels/view.ts'
import { type PersonRow, peopleIn, peopleOf, personColumns } from '#server/modules/spaces/membership/find-people.ts'
import { TRANSITIONS } from '#server/modules/spaces/membership/set-membership.ts'
import type { DoneAct, FoundPeople, PlannedChange, WantedPeople } from '#server/modules/spaces/membership/space-kind.ts'
import { SPACE_KINDS } from '#server/modules/spaces/membership/space-kinds.ts'

/**
 * A channel with people, and all that an action on them publishes and answers. Whether the caller knows of one where they may not act is only
 * looked at afterwards: it makes the plan larger.
 */
export async function findChannelPeople(
  ctx: Ctx,
  wanted: WantedPeople,
): Promise<FoundPeople<ChannelEnvelope> | undefined> {
  const mayAct = mayInChannel(ctx, wanted.action, sql`c.channel_id`)
  const found = await read(ctx, wanted, { scope: mayAct, mayAct: sql`true` })
  return found ?? read(ctx, wanted, { scope: sql`(${mayKnowChannel(ctx)} or ${mayAct})`, mayAct })
}

interface FoundRow extends SeenChannel, PersonRow {
  mayAct: boolean
  /** Null where the channel names nothing. */
  gathered: (GatheredNames & { previews: Record<string, unknown>[] | null }) | null
  member: ChannelUserRow | null
  user: UserRow | null
  avatar: FileRow | null
}

/** A row for each person, or one without any, in any order. What each of them has is joined, as columns cost PostgreSQL less than JSON (docs/performance.md). */
async function read(
  ctx: Ctx,
  wanted: WantedPeople,
  { scope, mayAct }: { scope: Sql; mayAct: Sql },
): Promise<FoundPeople<ChannelEnvelope> | undefined> {
  const { spaceId, action } = wanted
  const isFixed = action === 'addMembers' || action === 'removeMembers'
  const found = await query<FoundRow>(
    ctx,
    sql`
    with channel_page as materialized (
      select c.*, ${mayReadChannel(ctx)} as is_readable, ${mayAct} and not (${isFixed} and c.type = 'conversation') as may_act
      from channel c
      where c.channel_id = ${spaceId} and not c.is_deleted and ${scope}),
    ${PREVIEW_TABLE}
    select ${CHANNEL_COLUMNS}, c.is_readable, c.may_act, ${GATHERED} as gathered, person.*
    from channel_page c left join lateral (
      select ${personColumns(ctx, SPACE_KINDS.channel, wanted)},
        ${joinedRow('member')}, ${CHANNEL_USER_COLUMNS}, ${joinedRow('user')}, ${USER_COLUMNS}, ${joinedRow('avatar')}, ${FILE_COLUMNS}
      from ${peopleOf(ctx, SPACE_KINDS.channel, wanted)}
      left join lateral (select * from file f where f.file_id = u.avatar_file_id offset 0) f on true
      offset 0) person on true`,
  )
  const rows = found.toSorted((one, other) => ((one.person?.userId ?? '') < (other.person?.userId ?? '') ? -1 : 1))
  const [channel] = rows
  if (channel === undefined) return undefined
  return {
    mayAct: channel.mayAct,
    ...peopleIn(rows),
    publish: (change) => publish(ctx, toFound(ctx, channel, rows), change),
  }
}

/** What the channel names beside these people, looked up by a function (docs/performance.md). */
const GATHERED = sql`
  case when c.avatar_file_id is not null or c.pinned_by is not null or exists (select from preview) then (
    select json_build_object('previews', ${jsonOfRows(sql`select * from preview`)}, 'users', names -> 'users', 'files', names -> 'files')
    from ${namedRecords({ userIds: sql`array(${CHANNEL_PEOPLE})`, internalIds: sql`'{}'`, fileIds: sql`array(${CHANNEL_FILES})` })} names) end`

function toFound(ctx: Ctx, channel: FoundRow, rows: FoundRow[]): FoundChannels {
  const named = namedIn(ctx, channel.gathered)
  const avatars = rows.flatMap(({ avatar }) => (avatar === null ? [] : toFileView(avatar)))
  const files = new Map([...avatars, ...named.files].map((file) => [file.fileId, file]))
  return {
    channels: [channel],
    channelUsers: rows.flatMap(({ member }) => member ?? []),
    messages: previewsIn(channel.gathered),
    users: [...rows.flatMap(({ user }) => (user === null ? [] : toUserView(ctx, user))), ...named.users],
    files: [...files.values()].toSorted((one, other) => (one.fileId < other.fileId ? -1 : 1)),
  }
}

function publish(ctx: Ctx, found: FoundChannels, { act, at, changed, counts }: PlannedChange) {
  const after = {
    membership: TRANSITIONS[act].to,
    ...(act !== 'unbanned' && { roles: [], permissions: [] }),
    updatedAt: at,
  }
  const answer = toChannelEnvelope(ctx, {
    ...found,
    channels: found.channels.map((channel) => ({ ...channel, memberCount: channel.memberCount + counts.members })),
    channelUsers: found.channelUsers.map((member) =>
      changed.includes(member.userId) ? { ...member, ...after } : member,
    ),
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
