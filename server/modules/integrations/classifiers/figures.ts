import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import type { AskOutcome } from '#server/modules/integrations/classifiers/ask-classifier.ts'
import { COUNTED } from '#server/modules/integrations/classifiers/list-classifiers.ts'

/** What this process asked a classifier since it started, and how the classifier was when it was last looked at. */
export interface ClassifierFigures {
  items: { asked: number; answered: number; failed: number }
  isOpen: boolean
  waiting: number
}
export type FiguresById = Map<string, ClassifierFigures>

/** Brings the figures in line with the classifiers that are on: others have none any more. */
export function updateFigures(figures: FiguresById, running: { classifierId: string; isOpen: boolean }[]): void {
  for (const { classifierId, isOpen } of running) figuresOf(figures, classifierId).isOpen = isOpen
  const ids = new Set(running.map(({ classifierId }) => classifierId))
  for (const classifierId of figures.keys()) if (!ids.has(classifierId)) figures.delete(classifierId)
}

/** Counts the items of a request that ended: one without valid signals has failed. */
export function countRequest(figures: ClassifierFigures, { length }: unknown[], { signals }: AskOutcome): void {
  const answered = signals.filter((found) => found !== undefined).length
  figures.items.asked += length
  figures.items.answered += answered
  figures.items.failed += length - answered
}

export function figuresOf(figures: FiguresById, classifierId: string): ClassifierFigures {
  const known = figures.get(classifierId) ?? { items: { asked: 0, answered: 0, failed: 0 }, isOpen: false, waiting: 0 }
  figures.set(classifierId, known)
  return known
}

/** Counts the waiting items of each, up to 10,000. Uses classifier_item_classifier_id_due_at_idx. */
export async function countWaiting(ctx: Ctx, figures: FiguresById): Promise<void> {
  const rows = await query<{ classifierId: string; waiting: number }>(
    ctx,
    sql`
    select id as classifier_id, (
      select count(*)::int from (select from classifier_item i where i.classifier_id = id limit ${COUNTED}) counted) as waiting
    from unnest(${[...figures.keys()]}::text[]) as id`,
  )
  for (const { classifierId, waiting } of rows) figuresOf(figures, classifierId).waiting = waiting
}
