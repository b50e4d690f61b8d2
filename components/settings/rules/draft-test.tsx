'use client'
import { useTranslations } from 'use-intl'
import { FoundText } from '#components/kit/review/found-text.tsx'
import { Button } from '#components/ui/button.tsx'
import type { DraftTestInput } from '#server/modules/review/backtests/schema.ts'
import { decidedOf } from './figures.tsx'
import { type DraftSource, type DraftSums, useDraftTest } from './use-draft-test.ts'
import { useRuleErrorMessage } from './use-problem-message.ts'

interface DraftTestProps {
  /** Undefined while it isn't complete. */
  draft: DraftTestInput['draft'] | undefined
  /** What it is made from. */
  source: DraftSource | undefined
}

/** Beside the conditions: what they would have caught, while they are written. */
export function DraftTest({ level, draft, source }: DraftTestProps & { level: 2 | 3 }) {
  const t = useTranslations('rules.trial')
  const Heading = level === 2 ? 'h3' : 'h4'
  const isOnMessages = draft?.kinds.every((kind) => kind === 'message') ?? false
  return (
    <section
      aria-labelledby="rule-trial"
      className="rounded-2 border border-line bg-sunken px-3 pt-2.5 pb-3 @min-[50rem]:sticky @min-[50rem]:top-3"
    >
      <Heading id="rule-trial" className="font-bold text-ink">
        {t('title')}
      </Heading>
      {draft === undefined || isOnMessages ? (
        <p className="mt-1 text-ink-3">{t(draft === undefined ? 'incomplete' : 'messagesOnly')}</p>
      ) : (
        <Tested draft={draft} source={source} />
      )}
    </section>
  )
}

function Tested({ draft, source }: DraftTestProps) {
  const t = useTranslations('rules.trial')
  const errorMessageOf = useRuleErrorMessage()
  const { state, lookAtAll } = useDraftTest(draft, source)
  const { status, sums, error } = state
  const judged = sums ? decidedOf(sums.together.judged) + sums.together.judged.pending + sums.missing : 0
  return (
    <>
      <div aria-live="polite" aria-busy={status === 'running'}>
        {sums === undefined && status !== 'failed' && status !== 'done' && (
          <p className="mt-1 text-ink-3">{t('running')}</p>
        )}
        {status === 'failed' && <p className="mt-1">{t('failed', { problem: errorMessageOf(error) ?? '' })}</p>}
        {sums && <Found sums={sums} isWave={source?.isWave ?? false} />}
        {sums && (
          <p className="mt-1 text-small text-ink-3">
            {status === 'done'
              ? t('all', { total: judged })
              : t('looked', { count: judged, total: Math.max(judged, sums.total) })}
          </p>
        )}
        {status === 'done' && judged === 0 && <p className="mt-1 text-ink-3">{t('nothing')}</p>}
      </div>
      {status === 'more' && (
        <Button size="small" className="mt-2" onPress={lookAtAll}>
          {t('more')}
        </Button>
      )}
      {sums && sums.samples.length > 0 && <Samples sums={sums} />}
    </>
  )
}

function Found({ sums, isWave }: { sums: DraftSums; isWave: boolean }) {
  const t = useTranslations('rules.trial')
  const { source, others, together } = sums
  const { pending, approved, rejected } = together.caught
  return (
    <>
      <p className="mt-1 font-firm text-ink">
        {source && source.total > 0
          ? t(isWave ? 'wave' : 'item', { ...source, isFound: String(source.caught > 0), others })
          : t('found', { count: pending + approved + rejected })}
      </p>
      <ul className="mt-1 text-ink-2">
        <li>{t('pending', { count: pending })}</li>
        <li>{t('rejected', { count: rejected })}</li>
        <li className={approved > 0 ? 'font-firm text-reject' : ''}>{t('approved', { count: approved })}</li>
      </ul>
    </>
  )
}

function Samples({ sums: { samples, source } }: { sums: DraftSums }) {
  const t = useTranslations('rules.trial')
  return (
    <details className="mt-2">
      <summary className="min-h-6 cursor-pointer font-firm text-ink coarse:min-h-10">
        {t(source && source.total > 0 ? 'otherSamples' : 'samples')}
      </summary>
      <ul>
        {samples.map(({ subjectType, subjectId, title, text, found, outcome }) => (
          <li key={`${subjectType} ${subjectId}`} className="border-b border-line py-1.5 last:border-b-0">
            <FoundText title={title} text={text} found={found} />
            <span className="text-small text-ink-3">{t(`outcomes.${outcome}`)}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
