'use client'
import { useTranslations } from 'use-intl'
import { OutcomeWord } from '#components/kit/review/outcome.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import type { SameWords } from '#server/modules/review/items/schema.ts'
import { useDeskActs } from '../acts/desk-acts.ts'
import { itemIdOf } from '../state/item-id.ts'

/** Earlier decisions on exactly the same text, here or elsewhere. */
export function SameTextDecisions({ item, sameWords }: { item: Subject; sameWords: SameWords[] }) {
  const t = useTranslations('queue.same')
  const times = useTimes()
  const { show } = useDeskActs()
  return (
    <ul className="grid gap-2 text-small">
      {sameWords.map((same) => (
        <li key={`${itemIdOf(same)} ${same.decidedAt}`}>
          <span className="flex flex-wrap gap-x-2 text-ink-3">
            <OutcomeWord outcome={same.outcome} />
            <span title={times.exact(same.decidedAt)}>
              {t('by', { who: same.decidedByName, time: times.brief(same.decidedAt) })}
            </span>
          </span>
          {itemIdOf(same) === itemIdOf(item) ? (
            <span className="text-ink">{t('unchanged')}</span>
          ) : (
            <button
              type="button"
              className="min-h-6 text-start text-accent underline underline-offset-2"
              onClick={() => show(itemIdOf(same))}
            >
              {t('where', { type: same.subjectType, space: same.community.displayName })}
            </button>
          )}
          {same.reason && <span className="block text-ink-3">{t('reason', { reason: same.reason })}</span>}
        </li>
      ))}
    </ul>
  )
}
