'use client'
import { useFormatter, useTranslations } from 'use-intl'
import { useSpan } from '#components/i18n/use-span.ts'
import { AGE_TEXT, ageLevel } from '#components/kit/review/age.ts'
import { useTargetMs } from '#components/kit/targets/targets-context.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { Badge } from '#components/ui/badge.tsx'
import { Hint } from '#components/ui/hint.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import type { Signal } from '#server/modules/content/signals/schema.ts'
import type { ReviewItem } from '#server/modules/review/items/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import type { ReviewReason, RuleReason } from '#server/modules/rules/judging/schema.ts'
import { isRestoredMessage } from '../state/item-id.ts'
import { Fact } from './fact.tsx'

// Few rules mute.
const RuleMute = lazyPart(() => import('./rule-mute.tsx').then(({ RuleMute }) => RuleMute), { isPlain: true })

/** When the item was written and held, and why. */
export function ItemFacts({
  item,
  isHolding,
  mentioned = [],
  signals = [],
  holders = [],
  highlights = [],
  isRejectedByRules = false,
  mute,
}: {
  item: QueueItem
  isHolding: boolean | undefined
  mentioned: ReviewItem['mentioned'] | undefined
  signals: Signal[] | undefined
  /** What holds it; of a report, its reasons name the rules, and of what they rejected, the banner does. */
  holders: QueueItem['reviewReasons']
  /** Those that only highlight. */
  highlights: QueueItem['highlights']
  isRejectedByRules: boolean | undefined
  mute: ReviewItem['mute']
}) {
  const t = useTranslations('queue')
  const reported = useTranslations('reported')
  const format = useFormatter()
  const span = useSpan()
  const times = useTimes()
  const heldForMs = times.now - Date.parse(item.heldAt)
  const targetMs = useTargetMs(item.community?.communityId)
  const past = heldForMs - targetMs
  const rules = holders.flatMap((reason) => (reason.type === 'rule' ? reason : []))

  return (
    <dl className="mt-2.5 flex flex-wrap gap-x-5 gap-y-1 text-small">
      {item.subjectType !== 'user' && (
        <Fact name={t('facts.written')}>
          <time dateTime={item.writtenAt}>{times.exact(item.writtenAt)}</time>
        </Fact>
      )}
      {!isRejectedByRules && !isRestoredMessage(item) && (
        <Fact name={item.reasons ? reported('time') : t('facts.held')}>
          <time dateTime={item.heldAt}>{times.exact(item.heldAt)}</time>
          {past >= 0 && (
            <span className={AGE_TEXT[ageLevel(heldForMs, targetMs)]}> {t('facts.past', { past: span(past) })}</span>
          )}
        </Fact>
      )}
      {!isRejectedByRules && <WhyHeld item={item} holders={holders} isHolding={isHolding} />}
      {highlights.length > 0 && (
        <Fact name={t('facts.highlightedBy')}>{format.list(highlights.map(({ name }) => name))}</Fact>
      )}
      {mute && <RuleMute item={item} mute={mute} />}
      <RuleLabels rules={[...rules, ...highlights]} />
      {item.reasons && item.reasons.length > 0 && <Fact name={reported('why')}>{format.list(item.reasons)}</Fact>}
      {mentioned.length > 0 && (
        <Fact name={t('facts.mentions')}>{format.list(mentioned.map(({ displayName }) => displayName))}</Fact>
      )}
      {signals.length > 0 && (
        <Fact name={<Hint label={t('facts.signals')}>{t('facts.signalsAre')}</Hint>}>
          <SignalList signals={signals} />
        </Fact>
      )}
      {item.flagCount > 0 && <Fact name={t('facts.flags')}>{t('flags', { count: item.flagCount })}</Fact>}
    </dl>
  )
}

interface WhyHeldProps {
  item: QueueItem
  holders: ReviewReason[]
  isHolding: boolean | undefined
}

/** The treatment of its author, the rules, or the community that hold it. */
function WhyHeld({ item, holders, isHolding }: WhyHeldProps) {
  const t = useTranslations('queue.facts')
  const format = useFormatter()
  const rules = holders.flatMap((reason) => (reason.type === 'rule' ? reason : []))
  const heldType = item.subjectType === 'post' ? 'post' : 'comment'
  const space = item.community?.displayName ?? ''
  return (
    <>
      {holders.length > rules.length && (
        <Fact name={t('why')}>{t('alwaysHeld', { author: item.author.displayName })}</Fact>
      )}
      {rules.length > 0 && !item.reasons && (
        <Fact name={t('why')}>
          {t('rules', { count: rules.length, names: format.list(rules.map(({ name }) => name)) })}
        </Fact>
      )}
      {holders.length === 0 && isHolding !== undefined && (
        <Fact name={t('why')}>{t(isHolding ? `holds.${heldType}` : 'backlog', { space })}</Fact>
      )}
    </>
  )
}

function RuleLabels({ rules }: { rules: RuleReason[] }) {
  const t = useTranslations('queue')
  const labels = [...new Set(rules.flatMap(({ label }) => label ?? []))]
  if (labels.length === 0) return null
  return (
    <Fact name={t('facts.labels')}>
      <span className="flex flex-wrap gap-1">
        {labels.map((label) => (
          <Badge key={label}>
            <bdi>{label}</bdi>
          </Badge>
        ))}
      </span>
    </Fact>
  )
}

const HUNDREDTHS = { minimumFractionDigits: 2, maximumFractionDigits: 2 }

/** The scores, each with what measured it and when, on hover and focus. */
function SignalList({ signals }: { signals: Signal[] }) {
  const t = useTranslations('queue')
  const format = useFormatter()
  const times = useTimes()
  return (
    <ul className="flex flex-wrap gap-x-3">
      {signals.map(({ name, score, modelVersion: model, measuredAt }) => {
        const time = times.exact(measuredAt)
        return (
          <li key={name}>
            <Hint label={t('facts.signal', { name, score: format.number(score, HUNDREDTHS) })}>
              {model ? t('facts.measuredBy', { model, time }) : t('facts.measured', { time })}
            </Hint>
          </li>
        )
      })}
    </ul>
  )
}
