'use client'
import { useTranslations } from 'use-intl'
import { CopyId } from '#components/ui/copy-id.tsx'
import type { User } from '#server/modules/accounts/users/schema.ts'
import { Section } from './section.tsx'

/** The person's ids, for use in programs. */
export function Ids({ user }: { user: User }) {
  const t = useTranslations('users.ids')
  const { userId, userPublicId, userInternalId, profileHandle } = user
  const ids = Object.entries({ userId, userPublicId, userInternalId, profileHandle }) as [
    'userId' | 'userPublicId' | 'userInternalId' | 'profileHandle',
    string | undefined,
  ][]
  return (
    <Section title={t('title')}>
      <dl className="grid grid-cols-[92px_minmax(0,1fr)] items-center gap-x-2.5 gap-y-0.5">
        {ids.map(
          ([name, id]) =>
            id !== undefined && (
              <div key={name} className="contents">
                <dt className="text-small text-ink-3">{t(name)}</dt>
                <dd className="min-w-0">
                  <CopyId id={id} />
                </dd>
              </div>
            ),
        )}
      </dl>
    </Section>
  )
}
