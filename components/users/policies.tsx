'use client'
import { useTranslations } from 'use-intl'
import type { Done } from '#components/kit/acts/done.ts'
import { PolicyList } from '#components/kit/sanctions/policy-list.tsx'
import type { Person } from '#server/modules/people/schema.ts'
import { Section } from './section.tsx'

/** What becomes of what the person writes: published at once, or always held. */
export function Policies({ person, onEnded }: { person: Person; onEnded: (act: Done) => void }) {
  const t = useTranslations('users')
  return (
    <Section title={t('policies')}>
      <PolicyList userId={person.user.userId} policies={person.policies} onEnded={onEnded} />
    </Section>
  )
}
