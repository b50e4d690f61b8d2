import type { Ctx } from '#server/core/ctx.ts'
import { execute, sql } from '#server/core/db.ts'
import { type Act, auditTables } from '#server/modules/ledger/audit/record-audit.ts'
import { eventTables, type NewEvent } from '#server/modules/ledger/events/record-event.ts'
import { idsOf } from '#server/modules/spaces/membership/lock-people.ts'
import type { DoneAct, SpaceKind } from '#server/modules/spaces/membership/space-kind.ts'
import type { SpaceTable } from '#server/modules/spaces/membership/space-kinds.ts'

/** The change of one person: ids and states. */
export interface MemberChange {
  userId: string
  before: Record<string, unknown>
  after: Record<string, unknown>
}

interface MemberChanges extends Omit<DoneAct, 'changed'> {
  changes: MemberChange[]
}

/**
 * Finishes an action on people, in its transaction: writes an audit row for each person, publishes one event, and returns the people
 * concerned. Where nothing changed, it audits and publishes nothing.
 */
export async function publishMembers<Answer>(
  ctx: Ctx,
  kind: SpaceKind<Answer>,
  { spaceId, act, userIds, changes }: MemberChanges,
): Promise<Answer> {
  if (changes.length === 0) return kind.answer(ctx, spaceId, userIds)
  const { payload, answer } = await kind.publish(ctx, { spaceId, act, userIds, changed: idsOf(changes) })
  const acts = toActs(kind, { spaceId, act, changes })
  const event = toEvent(kind, { spaceId, act, payload })
  await execute(ctx, sql`with ${auditTables(ctx, acts)}, ${eventTables(ctx, [event])} select from stored_event`)
  return answer
}

/** What the log records of an action on people. */
export function toActs(
  kind: SpaceTable,
  { spaceId, act, changes }: Pick<MemberChanges, 'spaceId' | 'act' | 'changes'>,
): Act[] {
  return changes.map(({ userId, before, after }) => ({
    action: act.action,
    subjectType: 'user',
    subjectId: userId,
    ...kind.space(spaceId),
    before,
    after,
  }))
}

/** The event of an action on people. */
export function toEvent(
  kind: SpaceTable,
  { spaceId, act, payload }: Pick<DoneAct, 'spaceId' | 'act'> & Pick<NewEvent, 'payload'>,
): NewEvent {
  return {
    name: act.event,
    isDeskOnly: act.event.startsWith('desk.'),
    subjectType: kind.scope,
    subjectId: spaceId,
    ...kind.space(spaceId),
    payload,
  }
}
