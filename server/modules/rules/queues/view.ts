import type { Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { DESK_NAME } from '#server/modules/accounts/users/desk-name.ts'
import type { NamedQueue } from '#server/modules/rules/queues/schema.ts'
import { mayWhereItApplies } from '#server/modules/rules/registry/scope.ts'

export type QueueRow = Omit<NamedQueue, 'communityId'> & { communityId: string | null }

/** Selects what `toNamedQueue` reads from `named_queue q`. Who its members are is for those who manage it. Uses named_queue_member_pkey. */
export function selectQueues(ctx: Ctx): Sql {
  return sql`
    select q.queue_id, q.community_id, q.name, q.revision, coalesce(used.rules, 0) as rules, (
      select coalesce(jsonb_agg(jsonb_build_object('userId', u.user_id, 'displayName', ${DESK_NAME}) order by lower(${DESK_NAME}), u.user_id), '[]')
      from named_queue_member m join network_user u on u.user_id = m.user_id left join staff_account a on a.network_user_id = u.user_id
      where m.queue_id = q.queue_id and ${isManaged(ctx)}) as members
    from named_queue q left join (
      select v.action ->> 'queueId' as queue_id, count(*)::int as rules
      from rule r join rule_version v on v.rule_id = r.rule_id and v.version = r.version
      where not r.is_archived and ${mayWhereItApplies(ctx, 'manageRules', sql`r.community_id`)} group by 1) used
      on used.queue_id = q.queue_id`
}

/** Whether the caller may manage `named_queue q`: as the rules of its space. */
export function isManaged(ctx: Ctx): Sql {
  return mayWhereItApplies(ctx, 'manageRules', sql`q.community_id`)
}

export function toNamedQueue({ communityId, ...queue }: QueueRow): NamedQueue {
  return { ...queue, ...(communityId !== null && { communityId }) }
}
