'use client'
import { useTranslations } from 'use-intl'
import { PersonLink } from '#components/kit/people/person-link.tsx'
import type { FlagRecord, Person } from '#server/modules/people/schema.ts'
import { isEmpty } from './empty-parts.tsx'
import { Excerpt } from './excerpt.tsx'
import { Paged } from './paged.tsx'
import { Section } from './section.tsx'
import { WhenLink } from './when-link.tsx'

/** Flags on the person and their content, and flags they sent. */
export function Flags({ person }: { person: Person }) {
  const t = useTranslations('users')
  return (
    <>
      {!isEmpty(person, 'flagsOn') && (
        <Section title={t('flagsOn')}>
          <Paged person={person} name="flagsOn">
            {(items) => <FlagList flags={items} namesSender />}
          </Paged>
        </Section>
      )}
      {!isEmpty(person, 'flagsBy') && (
        <Section title={t('flagsBy')}>
          <Paged person={person} name="flagsBy">
            {(items) => <FlagList flags={items} namesSender={false} />}
          </Paged>
        </Section>
      )}
    </>
  )
}

function FlagList({ flags, namesSender }: { flags: FlagRecord[]; namesSender: boolean }) {
  const t = useTranslations('users')
  const ui = useTranslations('ui')
  return (
    <ul className="grid gap-2 text-small">
      {flags.map((flag) => (
        <li key={`${flag.subjectType} ${flag.subjectId} ${flag.by.userId}`}>
          <span className="wrap-anywhere">
            <span className="font-firm text-ink">{flag.reason}</span>
            {ui('comma')}
            {t(`flagged.${flag.subjectType}`)}{' '}
            {namesSender && !flag.isByRule && t.rich('flaggedBy', { who: () => <PersonLink person={flag.by} /> })}
          </span>{' '}
          <WhenLink at={flag.at} subjectId={flag.subjectId} />
          {flag.clearedAt !== undefined && <span className="text-ink-3">{ui('comma') + t('cleared')}</span>}
          {flag.detail && (
            <span dir="auto" className="block wrap-anywhere">
              {flag.detail}
            </span>
          )}
          {flag.excerpt && <Excerpt isFlagged>{flag.excerpt}</Excerpt>}
        </li>
      ))}
    </ul>
  )
}
