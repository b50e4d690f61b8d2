'use client'
import { useTranslations } from 'use-intl'
import { PersonLink } from '#components/kit/people/person-link.tsx'
import { Trail, type TrailNode, TrailStep } from '#components/kit/review/trail.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import type { ContentRecord, Person } from '#server/modules/people/schema.ts'
import { Excerpt } from './excerpt.tsx'
import { Paged } from './paged.tsx'
import { Section } from './section.tsx'

const NODE: Record<ContentRecord['state'], TrailNode> = {
  held: 'now',
  published: 'approved',
  rejected: 'rejected',
  removed: 'plain',
}

/** What became of everything the person wrote: held, published, rejected or removed; when, by whom and why. */
export function Content({ person }: { person: Person }) {
  const t = useTranslations('users')
  return (
    <Section title={t('content')}>
      <Paged person={person} name="content">
        {(items) => (
          <Trail>
            {items.map((item) => (
              <TrailStep
                key={`${item.subjectType} ${item.subjectId}`}
                node={NODE[item.state]}
                nodeColour={item.state === 'held' ? 'bg-age-2' : ''}
              >
                <ContentItem item={item} authorId={person.user.userId} />
              </TrailStep>
            ))}
          </Trail>
        )}
      </Paged>
    </Section>
  )
}

function ContentItem({ item, authorId }: { item: ContentRecord; authorId: string }) {
  const t = useTranslations('users')
  const times = useTimes()
  const { subjectType, subjectId, state, writtenAt, community, decision, excerpt } = item
  const at = (moment: string) => () => <time title={times.exact(moment)}>{times.brief(moment)}</time>
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-small text-ink-3">
        <span className="font-firm text-ink-2">{t(`contentStates.${state}`)}</span>
        <span>
          {t(`contentKinds.${subjectType}`)}
          {community && t('inSpace', { space: community.displayName })}
        </span>
        <span>{t.rich('written', { time: at(writtenAt) })}</span>
      </div>
      {excerpt && (
        <Excerpt
          subjectId={subjectId}
          heldAs={state === 'held' ? { subjectType, authorId } : undefined}
          isFlagged={false}
        >
          {excerpt}
        </Excerpt>
      )}
      <p className="text-small wrap-anywhere text-ink-3">
        <Outcome item={item} />
        {decision?.reason && state !== 'removed' && ` ${t('reason', { reason: decision.reason })}`}
      </p>
    </>
  )
}

/** What was decided last, or that nothing was. */
function Outcome({ item: { state, heldAt, decision, removal, rejectedByRulesAt } }: { item: ContentRecord }) {
  const t = useTranslations('users')
  const times = useTimes()
  const at = (moment: string) => () => <time title={times.exact(moment)}>{times.brief(moment)}</time>
  if (state === 'held') return heldAt === undefined ? null : t.rich('heldSince', { time: at(heldAt) })
  if (state === 'removed' && removal) {
    const { by } = removal
    return by
      ? t.rich('removedBy', { who: () => <PersonLink person={by} />, time: at(removal.at) })
      : t.rich('removedAt', { time: at(removal.at) })
  }
  if (rejectedByRulesAt !== undefined) return t.rich('rejectedByRules', { time: at(rejectedByRulesAt) })
  if (!decision) return null
  return t.rich('contentDecided', {
    outcome: decision.outcome,
    who: () => <PersonLink person={decision.by} />,
    time: at(decision.at),
  })
}
