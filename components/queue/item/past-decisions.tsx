'use client'
import { useFormatter, useTranslations } from 'use-intl'
import { OutcomeWord } from '#components/kit/review/outcome.tsx'
import { Tally } from '#components/kit/review/tally.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { CoveredLine } from '#components/kit/wellness/covered-text.tsx'
import { Button } from '#components/ui/button.tsx'
import type { ReviewItem } from '#server/modules/review/items/schema.ts'
import type { mergeDecisions } from '../acts/decisions/merge-decisions.ts'
import { useDeskActs } from '../acts/desk-acts.ts'
import { ReverseButton } from '../acts/reversal/lazy-reverse-button.ts'
import { itemIdOf } from '../state/item-id.ts'

type Line = ReturnType<typeof mergeDecisions>['lines'][number]

interface PastDecisionsProps {
  author: string
  decisions: ReviewItem['author']['decisions']
  lines: Line[]
}

/** The author's latest decisions: a tally, and the text of some with the outcome. */
export function PastDecisions({ author, decisions, lines }: PastDecisionsProps) {
  const t = useTranslations('queue')
  const format = useFormatter()
  const { approved, rejected, latest } = decisions
  return (
    <>
      <Tally decisions={latest} isCounted={latest.length === approved + rejected} />
      <p className="mt-1 flex flex-wrap gap-x-3.5 text-small">
        <span>
          <b className="font-firm text-approve">{format.number(approved)}</b> {t('approvedAbove')}
        </span>
        <span>
          <b className="font-firm text-reject">{format.number(rejected)}</b> {t('rejectedBelow')}
        </span>
      </p>
      <ul className="mt-2 grid gap-2 text-small">
        {lines.map((decision) => (
          <PastDecisionLine key={decision.decisionId} author={author} decision={decision} />
        ))}
      </ul>
    </>
  )
}

function PastDecisionLine({ author, decision }: { author: string; decision: Line }) {
  const t = useTranslations('queue')
  const times = useTimes()
  const { show } = useDeskActs()
  return (
    <li>
      <span className="flex flex-wrap gap-x-2 text-ink-3">
        <OutcomeWord outcome={decision.outcome} />
        <span title={times.exact(decision.decidedAt)}>
          {t('byAt', { who: decision.decidedByName, time: times.brief(decision.decidedAt) })}
        </span>
        {decision.isSameText && <span className="font-firm text-ink-2">{t('same.tag')}</span>}
      </span>
      <span dir="auto" className="line-clamp-2 font-member wrap-anywhere text-ink-2">
        <CoveredLine isFlagged={false}>{decision.excerpt}</CoveredLine>
      </span>
      {decision.reason && <span className="block text-ink-3">{t('reason', { reason: decision.reason })}</span>}
      <span className="-ms-1.5 flex flex-wrap">
        <Button look="bare" size="small" className="px-1.5! text-small" onPress={() => show(itemIdOf(decision))}>
          {t('openPast')}{' '}
          <span className="sr-only">
            <CoveredLine isFlagged={false}>{decision.excerpt}</CoveredLine>
          </span>
        </Button>
        {decision.isReversible && <ReverseButton subject={decision} author={author} excerpt={decision.excerpt} />}
      </span>
    </li>
  )
}
