'use client'
import { useTranslations } from 'use-intl'
import type { Done } from '#components/kit/acts/done.ts'
import { TreatmentList } from '#components/kit/sanctions/treatment-list.tsx'
import type { Person } from '#server/modules/people/schema.ts'
import { Section } from './section.tsx'

/** What becomes of what the person writes: published at once, or always held. */
export function Treatments({ person, onEnded }: { person: Person; onEnded: (act: Done) => void }) {
  const t = useTranslations('users')
  return (
    <Section title={t('treatments')}>
      <TreatmentList userId={person.user.userId} treatments={person.treatments} onEnded={onEnded} />
    </Section>
  )
}
