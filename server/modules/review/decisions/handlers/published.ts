import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { suspendFlags } from '#server/modules/content/flags/write-flags.ts'
import { MESSAGE_VERSIONS } from '#server/modules/content/messages/message-versions.ts'
import { SUBJECTS, type SubjectType } from '#server/modules/ledger/reports/subjects.ts'
import type {
  ReviewHandler,
  ReviewItem,
  Transition,
  TransitionResult,
} from '#server/modules/review/decisions/handlers/handler.ts'
import type { Reportable } from '#server/modules/review/decisions/handlers/reportable.ts'
import type { HeldOutcome, ReportOutcome } from '#server/modules/review/decisions/schema.ts'

/** The columns of a comment, a post or a message as it is stored. */
interface PublishedSubject {
  authorId: string
  isDeleted: boolean
  isWithdrawn?: boolean
  communityId?: string | null
  channelId?: string | null
  /** False for what is held or rejected; messages are never held. */
  isPublic?: boolean
  /** Messages have none. */
  version?: number
}

interface Published<Subject> extends ReviewItem {
  subject: Subject
}

/**
 * What is published, whether or not somebody approved it: from `approved` to `deleted`, for those who may delete it as the answer to a report. It has
 * no item of its own, so that the decision is recorded as one on a report.
 */
export function publishedHandler<Subject extends PublishedSubject>(
  reportable: Reportable<Subject>,
): ReviewHandler<Published<Subject>, HeldOutcome | ReportOutcome> {
  const { type, lock } = reportable
  const deletion = deletionOf(reportable)
  return {
    kind: 'reported',
    lock: async (ctx, id) => {
      const subject = await lock(ctx, id)
      const { communityId = null, channelId = null, authorId } = subject
      const version = subject.version ?? MESSAGE_VERSIONS[subject.isDeleted ? 'deleted' : 'published']
      const mayReview = deletion.mayDelete(ctx, subject)
      return { subjectId: id, communityId, channelId, authorId, version, isWaiting: false, mayReview, subject }
    },
    move: async (ctx, { subjectId, subject }, { to }: Transition) => {
      const isRemoved = to === 'deleted'
      if (subject.isDeleted === isRemoved || subject.isWithdrawn || subject.isPublic === false) return undefined
      await (isRemoved ? deletion.hide : deletion.restore)(ctx, subject)
      return readMoved(ctx, { type, subjectId, isRemoved })
    },
    toAuditState: (state) => ({ isDeleted: `${state === 'deleted'}` }),
    publish: async (ctx, { subject }) => ({ event: await deletion.eventOf(ctx, subject) }),
  }
}

/** What was published and was deleted, once an appeal against that was right: public again, without the reports of it. For those who may delete it. */
export function restoringHandler<Subject extends PublishedSubject>(
  reportable: Reportable<Subject>,
): ReviewHandler<Published<Subject>, HeldOutcome | ReportOutcome> {
  const published = publishedHandler(reportable)
  return {
    ...published,
    move: async (ctx, row, move) => {
      const moved = await published.move(ctx, row, move)
      if (moved) await suspendFlags(ctx, { type: reportable.type, id: row.subjectId })
      return moved
    },
    publish: async (ctx, { subject }) => ({ event: await deletionOf(reportable).restoredEventOf(ctx, subject) }),
  }
}

function deletionOf<Subject extends PublishedSubject>({ type, deletion }: Reportable<Subject>) {
  if (deletion === undefined) throw new Error(`a ${type} can't be deleted`)
  return deletion
}

interface Moved {
  type: SubjectType
  subjectId: string
  isRemoved: boolean
}

function readMoved(ctx: Ctx, { type, subjectId, isRemoved }: Moved): Promise<TransitionResult | undefined> {
  const { table, id } = SUBJECTS[type]
  const version = type === 'message' ? sql`${MESSAGE_VERSIONS[isRemoved ? 'deleted' : 'published']}::int` : sql`version`
  return queryOne<TransitionResult>(
    ctx,
    sql`select ${version} as version, text_digest(data) as text_digest from ${table} where ${id} = ${subjectId}`,
  )
}
