import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import {
  CHANNEL_ACTIONS,
  COMMUNITY_ACTIONS,
  holds,
  mayInChannel,
  mayInCommunity,
  type Reach,
  rankOf,
} from '#server/core/permissions.ts'
import { isBelow, outranks } from '#server/modules/accounts/roles/outranks.ts'
import { mayModerateMessages } from '#server/modules/content/messages/lock-message.ts'
import { byAction, type Deciders, mayDecideBy } from '#server/modules/review/decisions/may-decide.ts'
import { mayWarnEverywhere, mayWarnIn } from '#server/modules/spaces/warnings/warn.ts'

const [IN_COMMUNITY, IN_CHANNEL, PERSON] = [sql`s.community_id`, sql`s.channel_id`, sql`s.user_id`]

/** By where it is in force: a channel, a community or the network. */
function byReach({ channel, community, network }: { channel: Sql; community: Sql; network: Sql }): Sql {
  return sql`case when ${IN_CHANNEL} is not null then ${channel} when ${IN_COMMUNITY} is not null then ${community} else ${network} end`
}

/**
 * Whether the caller may decide on an appeal of `statement s`, as an SQL condition: those who may do and end what it states, there and to that person.
 * Nobody decides on their own appeal.
 */
export function mayDecideAppeal(ctx: Ctx): Sql {
  return sql`(${PERSON} is distinct from ${actingUserId(ctx) ?? null} and case s.measure
    when 'banned' then ${mayEnd(ctx, 'banMembers')}
    when 'muted' then ${mayEnd(ctx, 'muteMembers')}
    when 'warned' then case when ${IN_COMMUNITY} is null then ${mayWarnEverywhere(ctx)} else ${mayWarnIn(ctx, IN_COMMUNITY)} end
    else ${mayRestore(ctx)} end)`
}

function mayEnd(ctx: Ctx, action: 'banMembers' | 'muteMembers'): Sql {
  return byReach({
    channel: sql`${mayInChannel(ctx, action, IN_CHANNEL)} and ${outranks(ctx, PERSON, { channelId: IN_CHANNEL })}`,
    community: sql`${mayInCommunity(ctx, action, IN_COMMUNITY)} and ${outranks(ctx, PERSON, { communityId: IN_COMMUNITY })}`,
    network: sql`${holds(ctx, 'BAN_USER')} and ${outranks(ctx, PERSON, 'network')}`,
  })
}

/** Who reviews it; what was deleted is restored by those who may delete it. */
function mayRestore(ctx: Ctx): Sql {
  const inCommunity = (review: 'reviewComments' | 'reviewPosts', remove: 'deleteComments' | 'deletePosts') =>
    sql`${mayInCommunity(ctx, review, IN_COMMUNITY)} and (s.measure = 'rejected' or ${mayInCommunity(ctx, remove, IN_COMMUNITY)})`
  const outside = (permission: 'DELETE_USER_FEED_COMMENT' | 'DELETE_USER_FEED_POST') =>
    sql`${IN_COMMUNITY} is null and ${holds(ctx, 'MANAGE_POST_AND_COMMENT') && holds(ctx, permission)}`
  return sql`case s.subject_type
    when 'comment' then ${inCommunity('reviewComments', 'deleteComments')} or ${outside('DELETE_USER_FEED_COMMENT')}
    when 'post' then ${inCommunity('reviewPosts', 'deletePosts')} or ${outside('DELETE_USER_FEED_POST')}
    when 'message' then exists (select from channel c where c.channel_id = ${IN_CHANNEL} and ${mayModerateMessages(ctx)})
    else false end`
}

/** Whether the caller made the decision that `statement s` states, as an SQL condition. */
export function decidedFirst(ctx: Ctx): Sql {
  return sql`coalesce(s.made_by = ${actingUserId(ctx) ?? actorName(ctx)}, false)`
}

const THEIRS = sql`u.user_id`
const ranksAbove = (reach: Reach) => isBelow(rankOf(THEIRS, reach), rankOf(PERSON, reach))

/**
 * Whether somebody with a staff account other than who made the first decision could decide on an appeal of `statement s`, as an SQL condition: by what they hold
 * in the space or across the network, and for bans and mutes by their rank.
 */
export const CAN_SOMEBODY_ELSE = sql`exists (
  select from staff_account a join network_user u on u.user_id = a.network_user_id
  where ${THEIRS} is distinct from s.made_by and ${holdWhatIsNeeded(toJudge)} and ${holdWhatIsNeeded(toRestore)}
    and case when s.measure in ('banned', 'muted') then ${byReach({
      channel: ranksAbove({ channelId: IN_CHANNEL }),
      community: ranksAbove({ communityId: IN_COMMUNITY }),
      network: ranksAbove('network'),
    })} else true end)`

type Of = (deciders: Deciders) => Sql

function holdWhatIsNeeded(needed: (of: Of) => Sql): Sql {
  const what = {
    network: needed(({ network }) => sql`${network}::text[]`),
    local: needed(({ local }) => sql`${local}::text`),
  }
  return mayDecideBy(what, { communityId: IN_COMMUNITY, channelId: IN_CHANNEL, authorId: PERSON })
}

/** What it takes to judge what is stated. */
function toJudge(of: Of): Sql {
  return sql`case s.measure
    when 'banned' then ${toEnd(of, 'banMembers')}
    when 'muted' then ${toEnd(of, 'muteMembers')}
    else case s.subject_type
      when 'post' then ${of(byAction(COMMUNITY_ACTIONS.reviewPosts))}
      when 'message' then ${of(byAction(CHANNEL_ACTIONS.deleteMessages))}
      else ${of(byAction(COMMUNITY_ACTIONS.reviewComments))} end end`
}

/** What was deleted is restored by those who may also delete it. */
function toRestore(of: Of): Sql {
  return sql`case when s.measure = 'deleted' and s.subject_type = 'comment' then ${of(byAction(COMMUNITY_ACTIONS.deleteComments))}
    when s.measure = 'deleted' and s.subject_type = 'post' then ${of(byAction(COMMUNITY_ACTIONS.deletePosts))}
    else ${toJudge(of)} end`
}

function toEnd(of: Of, action: 'banMembers' | 'muteMembers'): Sql {
  return byReach({
    channel: of(byAction(CHANNEL_ACTIONS[action])),
    community: of(byAction(COMMUNITY_ACTIONS[action])),
    network: of({ network: ['BAN_USER'], local: '' }),
  })
}
