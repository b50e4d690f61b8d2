'use client'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { PersonLink } from '#components/kit/people/person-link.tsx'
import { textIn } from '#components/kit/policies/text-in.ts'
import { useTimes } from '#components/kit/times/use-times.ts'
import { CoveredText } from '#components/kit/wellness/covered-text.tsx'
import { usePreferences } from '#components/preferences/preferences-context.tsx'
import { Button } from '#components/ui/button.tsx'
import { PlainText } from '#components/ui/plain-text.tsx'
import type { Appeal, AppealOutcome } from '#server/modules/review/appeals/schema.ts'
import { useMeasureName } from './use-measure-name.ts'

interface AppealCardProps {
  appeal: Appeal
  /** Whether the keys act on it. */
  isCurrent: boolean
  onFocus: () => void
  onDecide: (outcome: AppealOutcome) => void
}

export const cardId = (appealId: string) => `appeal-${appealId}`

/** An appeal with what it is about, and its decision or the buttons for one. */
export function AppealCard({ appeal, isCurrent, onFocus, onDecide }: AppealCardProps) {
  const t = useTranslations('appeals')
  const times = useTimes()
  const nameOf = useMeasureName()
  const { author, statement, words, createdAt, dueAt } = appeal
  const isOpen = appeal.state === 'waiting'
  const isOverdue = isOpen && times.now > Date.parse(dueAt)
  return (
    // The page's keys act on the card that had the focus last.
    <li
      id={cardId(appeal.appealId)}
      tabIndex={-1}
      data-current={isCurrent || undefined}
      aria-current={isCurrent || undefined}
      aria-label={t('of', { who: author.displayName })}
      onFocus={onFocus}
      className="border-b border-s-[3px] border-line border-s-transparent px-[15px] py-4 outline-offset-[-2px] data-current:border-s-accent phone:px-[9px]"
    >
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
        <h2 className="min-w-0 text-large font-bold wrap-anywhere text-ink">{nameOf(statement)}</h2>
        <span className="min-w-0 wrap-anywhere">
          <PersonLink person={author} />
        </span>
        <span className={`ms-auto text-small phone:ms-0 ${isOverdue ? 'font-firm text-reject' : 'text-ink-3'}`}>
          {isOpen
            ? t(isOverdue ? 'overdue' : 'due', { time: times.brief(dueAt) })
            : t('made', { time: times.exact(createdAt) })}
        </span>
      </div>
      <Part title={t('words')}>
        {words === undefined ? <p className="text-ink-3">{t('erased')}</p> : <Members>{words}</Members>}
      </Part>
      <Judged statement={statement} />
      <Stated statement={statement} />
      {isOpen ? (
        <DecideButtons appeal={appeal} isCurrent={isCurrent} onDecide={onDecide} />
      ) : (
        <Decision appeal={appeal} />
      )}
    </li>
  )
}

/** What the measure is about, as it is stored. */
function Judged({ statement: { content } }: Pick<Appeal, 'statement'>) {
  const t = useTranslations('appeals')
  if (content === undefined || content.type === 'user') return null
  const isThere = content.title !== undefined || content.text !== undefined
  return (
    <Part title={t('judged')}>
      {isThere ? (
        <Members>{[content.title, content.text].filter(Boolean).join('\n')}</Members>
      ) : (
        <p className="text-ink-3">{t('notThere')}</p>
      )}
    </Part>
  )
}

/** What the person was given as reasons. */
function Stated({ statement }: Pick<Appeal, 'statement'>) {
  const t = useTranslations('appeals')
  const times = useTimes()
  const { language } = usePreferences().preferences
  const { policy, explanation, words, isAutomated, issuedAt, state } = statement
  const { texts = {} } = policy ?? {}
  const rule = textIn(texts, language)
  return (
    <Part title={t('stated')}>
      <p dir="auto" className="wrap-anywhere">
        <span className="font-firm text-ink">{rule?.title ?? t('noRule')}</span>
        {explanation !== undefined && <span className="block">{explanation}</span>}
        {words !== undefined && <span className="block whitespace-pre-wrap">{words}</span>}
      </p>
      <p className="text-small text-ink-3">
        {t(isAutomated ? 'byRules' : 'byPerson', { time: times.exact(issuedAt) })}
        {state !== 'inForce' && ` ${t(`already.${state}`)}`}
      </p>
    </Part>
  )
}

function DecideButtons({ appeal, isCurrent, onDecide }: Omit<AppealCardProps, 'onFocus'>) {
  const t = useTranslations('appeals')
  const { mayDecide } = appeal
  if (mayDecide === 'no') return <p className="mt-3 text-ink-3">{t('first')}</p>
  return (
    <div className="mt-3">
      {mayDecide === 'alone' && <p className="mb-2 text-ink-2">{t('alone')}</p>}
      <div className="flex flex-wrap gap-2">
        <Button look="approve" onPress={() => onDecide('reversed')}>
          {t('reverse')}
          {isCurrent && <ActKeycap act="approve" className="phone:hidden" />}
        </Button>
        <Button look="reject" onPress={() => onDecide('kept')}>
          {t('keep')}
          {isCurrent && <ActKeycap act="reject" className="phone:hidden" />}
        </Button>
      </div>
    </div>
  )
}

function Decision({ appeal }: Pick<AppealCardProps, 'appeal'>) {
  const t = useTranslations('appeals')
  const times = useTimes()
  const { state, answer, decidedBy, decidedAt = '', firstDecidedBy } = appeal
  if (state === 'waiting') return null
  return (
    <Part title={t(`outcomes.${state}`)}>
      <p dir="auto" className="wrap-anywhere whitespace-pre-wrap text-ink">
        {answer ?? t('erased')}
      </p>
      <p className="text-small wrap-anywhere text-ink-3">
        {t('decidedBy', { who: decidedBy ?? '', time: times.exact(decidedAt) })}
        {firstDecidedBy !== undefined && ` ${t('firstBy', { who: firstDecidedBy })}`}
      </p>
    </Part>
  )
}

function Members({ children }: { children: string }) {
  return (
    <blockquote dir="auto" className="max-w-[60ch] font-member text-large wrap-anywhere whitespace-pre-wrap text-ink">
      <CoveredText isFlagged={false}>
        <PlainText>{children}</PlainText>
      </CoveredText>
    </blockquote>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-3">
      <h3 className="text-small font-bold text-ink-3">{title}</h3>
      {children}
    </section>
  )
}
