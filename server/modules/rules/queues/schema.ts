import { z } from 'zod'
import { ResourceId, text } from '#server/core/text.ts'
import { RuleSpace } from '#server/modules/rules/registry/schema.ts'

/** The most queues of one space. */
export const QUEUES_LIMIT = 50
const MEMBERS_LIMIT = 200

const QueueFields = {
  name: text({ max: 60 })
    .trim()
    .refine((name) => name !== '', 'must not be blank'),
  /** All of its members. */
  memberIds: z
    .array(ResourceId)
    .max(MEMBERS_LIMIT)
    .transform((ids) => [...new Set(ids)]),
}

export const NewNamedQueue = RuleSpace.extend(QueueFields)
export type NewNamedQueue = z.output<typeof NewNamedQueue>

/** `revision` as it was read: a change to anything else than that fails. */
export const NamedQueueRevision = z.object({ queueId: ResourceId, revision: z.int().min(1).max(2_147_483_647) })
export type NamedQueueRevision = z.output<typeof NamedQueueRevision>

/** What is left out stays as it is. */
export const NamedQueueChange = NamedQueueRevision.extend(z.object(QueueFields).partial().shape)
export type NamedQueueChange = z.output<typeof NamedQueueChange>

/** People who may become members, by part of their name. */
export const QueueReviewersInput = RuleSpace.extend({ name: text({ max: 100 }).default('') })
export type QueueReviewersInput = z.output<typeof QueueReviewersInput>

export interface QueueReviewer {
  userId: string
  displayName: string
}

/** Where rules can send what they hold, and who sees it first. */
export interface NamedQueue {
  queueId: string
  /** Absent: it belongs to the whole network. */
  communityId?: string
  name: string
  revision: number
  /** By name; empty for callers who may not manage it. */
  members: QueueReviewer[]
  /** How many rules that aren't archived name it now, of those that the caller manages. */
  rules: number
}
