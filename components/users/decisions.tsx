'use client'
import { useFormatter, useTranslations } from 'use-intl'
import { PersonLink } from '#components/kit/people/person-link.tsx'
import { OutcomeWord } from '#components/kit/review/outcome.tsx'
import { Tally } from '#components/kit/review/tally.tsx'
import { Trail, type TrailNode, TrailStep } from '#components/kit/review/trail.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import type { DecidedOutcome, DecisionRecord, Person } from '#server/modules/people/schema.ts'
import { Excerpt } from './excerpt.tsx'
import { Paged } from './paged.tsx'
import { Section } from './section.tsx'
import { WhenLink } from './when-link.tsx'

/** Decisions on the person's content. */
export function DecisionsAbout({ person }: { person: Person }) {
  const t = useTranslations('users')
  const format = useFormatter()
  const { approved, rejected } = person.itemCounts
  const tallied = person.decisionsAbout.items.flatMap(({ decisionId, outcome, undoneAt }) =>
    isApproval(outcome) && undoneAt === undefined ? [{ decisionId, outcome }] : [],
  )
  return (
    <Section title={t('decisionsAbout')} count={format.number(approved + rejected)}>
      {tallied.length > 0 && (
        <div className="mb-2 max-w-105">
          <Tally decisions={tallied} />
        </div>
      )}
      <Paged person={person} name="decisionsAbout">
        {(items) => <Decisions decisions={items} namesAuthor={false} />}
      </Paged>
    </Section>
  )
}

/** Decisions made by the person. */
export function DecisionsBy({ person }: { person: Person }) {
  const t = useTranslations('users')
  return (
    <Section title={t('decisionsBy')}>
      <Paged person={person} name="decisionsBy">
        {(items) => <Decisions decisions={items} namesAuthor />}
      </Paged>
    </Section>
  )
}

function Decisions({ decisions, namesAuthor }: { decisions: DecisionRecord[]; namesAuthor: boolean }) {
  const t = useTranslations('users')
  const times = useTimes()
  return (
    <Trail>
      {decisions.map(
        ({ decisionId, subjectId, outcome, at, by, author, community, reason, excerpt, isReversal, undoneAt }) => (
          <TrailStep key={decisionId} node={nodeOf(outcome)}>
            <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-small text-ink-3">
              {isApproval(outcome) ? (
                <OutcomeWord outcome={outcome} />
              ) : (
                <span className="font-firm">{t(`outcomes.${outcome}`)}</span>
              )}
              <span>
                {t.rich(namesAuthor ? 'ofAt' : 'byAt', {
                  who: () => <PersonLink person={namesAuthor ? author : by} />,
                  time: () => <WhenLink at={at} subjectId={subjectId} />,
                })}
                {community && t('inSpace', { space: community.displayName })}
              </span>
              {isReversal && outcome !== 'deleted' && <span>{t('reversal', { outcome })}</span>}
              {undoneAt !== undefined && <span>{t('undone', { time: times.brief(undoneAt) })}</span>}
            </div>
            {excerpt && <Excerpt>{excerpt}</Excerpt>}
            {reason && <p className="text-small wrap-anywhere text-ink-3">{t('reason', { reason })}</p>}
          </TrailStep>
        ),
      )}
    </Trail>
  )
}

const isApproval = (outcome: DecidedOutcome) => outcome === 'approved' || outcome === 'rejected'

function nodeOf(outcome: DecidedOutcome): TrailNode {
  return isApproval(outcome) ? outcome : 'plain'
}
