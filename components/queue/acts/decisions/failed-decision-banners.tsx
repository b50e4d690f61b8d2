'use client'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useTimes } from '#components/kit/times/use-times.ts'
import { Banner } from '#components/ui/banner.tsx'
import { Button } from '#components/ui/button.tsx'
import { itemIdOf } from '../../state/item-id.ts'
import type { Decision } from '../../state/store/queue-state.ts'
import { failed } from '../../state/store/select-queue.ts'
import { useDeskActs } from '../desk-acts.ts'
import type { Decisions } from './use-decisions.ts'

/** Failed decisions: decided by somebody else first, or never delivered. The position in the list doesn't change. */
export function FailedDecisionBanners({
  decisions,
  onShow,
}: {
  decisions: Decisions
  onShow: (itemId: string) => void
}) {
  const t = useTranslations('queue.trouble')
  return failed(decisions.decisions).map((decision) => (
    <div key={decision.key} className="shrink-0">
      <Banner
        kind={decision.step === 'overtaken' ? 'info' : 'warn'}
        acts={
          <span className="flex">
            <Button look="bare" size="small" onPress={() => onShow(itemIdOf(decision.item))}>
              {t('show')}
            </Button>
            <Button look="icon" size="small" aria-label={t('dismiss')} onPress={() => decisions.dismiss(decision)}>
              <X />
            </Button>
          </span>
        }
      >
        <FailedDecisionText decision={decision} />
      </Banner>
      <KeptReason decision={decision} />
    </div>
  ))
}

/** The reason typed for a decision that failed: it can be sent again with the decision, or saved as a note. */
function KeptReason({ decision: { step, item, why, isReversal } }: { decision: Decision }) {
  const t = useTranslations('queue.trouble')
  const { open } = useDeskActs()
  if (!why?.reason) return null
  const isLost = step === 'lost'
  return (
    <div className="grid justify-items-start gap-1.5 border-b border-line px-3 py-2.5">
      <p className="text-small text-ink-3">{t('wordsKept')}</p>
      <p dir="auto" className="w-full rounded-2 bg-sunken px-2.5 py-2 wrap-anywhere whitespace-pre-wrap text-ink">
        {why.reason}
      </p>
      <Button onPress={() => open(isLost ? actAgain(isReversal) : 'note', item, why.reason)}>
        {t(isLost ? 'wordsAgain' : 'wordsToNote')}
      </Button>
    </div>
  )
}

const actAgain = (isReversal: boolean | undefined) => (isReversal ? 'reverse' : 'reject')

function FailedDecisionText({ decision: { step, facts, outcome, item, isReversal } }: { decision: Decision }) {
  const t = useTranslations('queue.trouble')
  const times = useTimes()
  const words = { b: (text: ReactNode) => <b>{text}</b>, author: item.author.displayName, type: item.subjectType }

  if (step === 'lost')
    return isReversal ? t.rich('lostReversal', { ...words, outcome }) : t.rich(`lost.${outcome}`, words)
  if (facts?.claimedByName)
    return (
      <>
        {t.rich('claimed', { ...words, who: facts.claimedByName })} {t(`notCounted.${outcome}`)}
      </>
    )
  if (!facts?.decision) return t.rich(`edited.${outcome}`, words)
  return (
    <>
      {t.rich(`overtaken.${facts.decision}`, {
        ...words,
        who: facts.decidedByName ?? t('somebody'),
        time: facts.decidedAt ? times.brief(facts.decidedAt) : '',
      })}{' '}
      {t(`notCounted.${outcome}`)}
    </>
  )
}
